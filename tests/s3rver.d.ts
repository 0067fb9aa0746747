/** The parts of the server that tests use. */
declare module '@20minutes/s3rver' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export default class S3rver {
    constructor(options: { silent?: boolean; directory: string; configureBuckets?: readonly { name: string }[] })
    configureBuckets(): Promise<unknown>
    callback(): (request: IncomingMessage, response: ServerResponse) => unknown
    close(): Promise<void>
  }
}
