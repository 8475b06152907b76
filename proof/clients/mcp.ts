// Runs the stories of an agent: the official MCP client calls the tools of `octavo mcp` and of `/mcp`.

import { join } from 'node:path'
import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type OauthClientWithSecret, Octavo } from '@octavo/sdk'
import { type ClientRun, type ClientServer, expect, runStories } from './client.ts'

const CLI = join(import.meta.dirname, '../../cli/src/main.ts')
const VERSIONS = [
  ['2026-07-28', 'auto'],
  ['2025-11-25', 'legacy'],
] as const

interface Agent {
  client: Client
  version: string
  document_id: string
  page_uri: string
}

/** The text of a result that is no error. */
async function call({ client }: Agent, name: string, input: Record<string, unknown>): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: input })
  const texts = content.map((block) => (block.type === 'text' ? block.text : JSON.stringify(block)))
  expect(isError !== true, texts.join('\n'))
  return texts.join('\n')
}

const stories: Record<string, (agent: Agent) => Promise<void>> = {
  async 'protocol version'({ client, version }) {
    const negotiated = client.getNegotiatedProtocolVersion()
    expect(negotiated === version, `version ${negotiated}`)
  },
  async 'no tool that writes'({ client }) {
    const { tools } = await client.listTools()
    expect(tools.length === 6 && tools.every(({ annotations }) => annotations?.readOnlyHint === true), 'another tool')
  },
  async search(agent) {
    expect((await call(agent, 'search', { query: 'rent' })).includes(agent.page_uri), 'no link to the page')
  },
  async 'ask, with links to pages'(agent) {
    const answer = await call(agent, 'ask', { question: 'When is the rent due?' })
    expect(answer.includes('"is_answered":true') && answer.includes(agent.page_uri), answer)
  },
  async 'list documents'(agent) {
    expect((await call(agent, 'list_documents', {})).includes(agent.document_id), 'the document is missing')
  },
  async 'read pages'(agent) {
    expect((await call(agent, 'read_pages', { document_id: agent.document_id })).includes('third'), 'another text')
  },
  async summarize(agent) {
    expect((await call(agent, 'summarize', { document_ids: [agent.document_id] })).includes(agent.page_uri), 'no link')
  },
  async extract(agent) {
    expect((await call(agent, 'extract', { document_id: agent.document_id })).includes('key_phrases'), 'no values')
  },
  async 'pages as resources'({ client, page_uri }) {
    const { contents } = await client.readResource({ uri: page_uri })
    expect(JSON.stringify(contents).includes('third'), 'another text')
  },
}

/** The agent as the guide registers it, with its own secret. */
const registerAgent = (octavo: Octavo): Promise<OauthClientWithSecret> =>
  octavo.oauthClients.create({
    name: 'Agent',
    grant_types: ['client_credentials'],
    scopes: [
      'documents:read',
      'searches:read',
      'searches:write',
      'summaries:read',
      'summaries:write',
      'analysis:read',
      'analysis:write',
    ],
  })

export async function proveAgents({ url, newKey }: ClientServer): Promise<ClientRun[]> {
  const key = await newKey()
  const octavo = new Octavo({ base_url: url, api_key: key })
  const { id } = await octavo.documents.createAndWait({
    title: 'Lease',
    source: { type: 'text', text: 'The rent of 1,200 euros is due on the third of each month.' },
  })
  const { id: clientId, secret } = await registerAgent(octavo)
  const env = { ...process.env, OCTAVO_URL: url, OCTAVO_API_KEY: key }
  const transports = {
    'octavo mcp': () => new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp'], env }),
    '/mcp': () =>
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
        authProvider: new ClientCredentialsProvider({
          clientId,
          clientSecret: secret ?? '',
          expectedIssuer: url,
        }),
      }),
  }
  const runs: ClientRun[] = []
  for (const [name, newTransport] of Object.entries(transports))
    for (const [version, mode] of VERSIONS) {
      const client = new Client({ name: 'proof', version: '1' }, { versionNegotiation: { mode } })
      await client.connect(newTransport())
      try {
        const agent = { client, version, document_id: id, page_uri: `octavo://documents/${id}/pages/1` }
        runs.push({ client: name, runtime: `MCP ${version}`, stories: await runStories(agent, stories) })
      } finally {
        await client.close()
      }
    }
  return runs
}
