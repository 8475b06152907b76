import { api } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.ts'
import { serve } from '../../http/serve.ts'
import * as files from './files.service.ts'

export function fileRoutes(server: FastifyInstance, app: App): void {
  serve(server, app, api.files.get, ({ db, params }) => files.readFile(db, params.file_id))
  serve(server, app, api.files.contents, ({ db, params }) => files.readContents(app, db, params.file_id))
}
