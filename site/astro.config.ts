import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'
import { sidebar } from './src/sidebar.ts'

export default defineConfig({
  // Under a path, such as https://docs.example.com/octavo: DOCS_BASE=/octavo npm run docs
  base: process.env['DOCS_BASE'] ?? '/',
  trailingSlash: 'always',
  build: { format: 'directory' },
  devToolbar: { enabled: false },
  integrations: [
    starlight({
      title: 'Octavo',
      logo: { light: './src/assets/logo-light.svg', dark: './src/assets/logo-dark.svg', replacesTitle: true },
      favicon: '/favicon.svg',
      customCss: ['./src/styles/octavo.css'],
      sidebar,
      credits: false,
      lastUpdated: false,
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
      expressiveCode: {
        themes: ['github-dark-default', 'github-light-default'],
        styleOverrides: { borderRadius: '0.5rem' },
      },
    }),
  ],
})
