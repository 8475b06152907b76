// A tool: its description, its input and the call that it makes. Results have the same form for all tools.

import type {
  CallToolResult,
  ContentBlock,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import type { Octavo } from '@octavo/sdk'
import type { z } from 'zod'
import { explainFailure } from './failures.ts'
import { type ProgressReporter, progressReporter } from './progress.ts'

/** A call in progress. */
export interface ToolCall {
  client: Octavo
  /** Aborted when the caller cancels the call or disconnects. */
  signal: AbortSignal
  reportProgress: ProgressReporter
}

interface ToolResult {
  /** The result as JSON, so that text of a document is always inside a string. */
  data: Record<string, unknown>
  /** Links to pages, and images. */
  more?: ContentBlock[]
}

export interface Tool<Input extends z.ZodObject> {
  name: string
  title: string
  description: string
  input: Input
  /** True if the tool changes documents. */
  is_write: boolean
  run: (call: ToolCall, input: z.output<Input>) => Promise<ToolResult>
}

export function registerTool<Input extends z.ZodObject>(server: McpServer, client: Octavo, tool: Tool<Input>): void {
  const handle = async (input: unknown, context: ServerContext): Promise<CallToolResult> => {
    const { signal } = context.mcpReq
    try {
      const call = { client, signal, reportProgress: progressReporter(context) }
      return toolResult(await tool.run(call, tool.input.parse(input)))
    } catch (error) {
      signal.throwIfAborted()
      return { isError: true, content: [{ type: 'text', text: explainFailure(error) }] }
    }
  }
  const annotations = {
    readOnlyHint: !tool.is_write,
    destructiveHint: false,
    idempotentHint: !tool.is_write,
    openWorldHint: false,
  }
  const { title, description } = tool
  // Less specific than the type parameter, which the overloads of `registerTool` cannot resolve.
  const inputSchema: StandardSchemaWithJSON = tool.input
  server.registerTool(tool.name, { title, description, inputSchema, annotations }, handle)
}

const toolResult = ({ data, more = [] }: ToolResult): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(data) }, ...more],
  structuredContent: data,
})
