// What stands above docs/README.md on the first page of the site.

export const home = (base: string) => ({
  template: 'splash' as const,
  hero: {
    tagline:
      'Documents in; text, tables, summaries and answers out. Every sentence points at the page that it comes from.',
    image: { html: '<img src="' + base + '/mark.svg" alt="" width="320" height="320">' },
    actions: [
      { text: 'Five commands', link: `${base}/quickstart/`, icon: 'right-arrow' as const },
      { text: 'API reference', link: `${base}/api-reference/`, variant: 'minimal' as const },
    ],
  },
})
