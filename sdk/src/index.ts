export type { AnswerEvent, AnswerStreamOptions, Answers } from './answers.ts'
export type { Answered, Call, CallOptions, Operation, ResponseInfo } from './call.ts'
export { Octavo } from './client.ts'
export type { CreateAndWaitOptions, Documents, NewFileDocument } from './documents.ts'
export type { DownloadOptions } from './download.ts'
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  OctavoError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
} from './errors.ts'
export type { Logger, TokenProvider } from './exchange.ts'
export type { Files, SentFile } from './files.ts'
export type { FollowOptions } from './follow.ts'
export type * from './generated/resources.ts'
export type * from './generated/types.ts'
export { VERSION } from './generated/version.ts'
export type { Jobs } from './jobs.ts'
export type { OutcomeWaitOptions } from './outcomes.ts'
export type { Listing, ListPage } from './pagination.ts'
export type { ClientOptions } from './request.ts'
export type { SendFileOptions, Uploads } from './uploads.ts'
export type { WaitOptions } from './waiting.ts'
