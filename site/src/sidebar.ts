// The order in which the pages are read. A page that is missing here fails a test (tools/docs/pages.test.ts).

type Item = string | { label: string; link: string } | { label: string; slug: string }

const group = (label: string, ...items: Item[]) => ({ label, items })

export const sidebar = [
  group('Start', 'quickstart', 'concepts', 'glossary'),
  group(
    'Guides',
    'upload',
    'reading',
    'outcomes',
    'analysis',
    'summaries',
    'classifications',
    'embeddings',
    'search',
    'answers',
    'reports',
    'jobs',
    'users',
    'sign-in',
    'cli',
    { label: 'TypeScript', slug: 'sdk' },
    'python',
    'agents',
    'oauth',
  ),
  group(
    'Reference',
    { label: 'API reference', link: '/api-reference/' },
    { label: 'Interface rules', slug: 'api' },
    'errors',
    'configuration',
    { label: 'Formats', slug: 'formats' },
    { label: 'Comparison', slug: 'comparison' },
    { label: 'Clients and their tests', slug: 'clients' },
  ),
  group(
    'Operations',
    'deploy',
    'high-availability',
    'scale',
    'security',
    'operations',
    'backup',
    'tenants',
    'upgrade',
    'releases',
    'monitoring',
    'slo',
    'waiting',
    'doctor',
  ),
  group('Quality', 'quality', { label: 'Promises and figures', slug: 'proofs' }),
  { label: 'Project', collapsed: true, items: ['project/architecture', 'project/contributing', 'project/security'] },
  { label: 'Decisions', collapsed: true, items: [{ autogenerate: { directory: 'decisions' } }] },
]
