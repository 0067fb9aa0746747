import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import type { Config } from './config.ts'

export type Log = Logger

/** The log of a process: one JSON object a line. What could open an account never gets into it. */
export const createLog = (config: Pick<Config, 'logLevel'>, destination?: DestinationStream): Log =>
  pino(
    {
      level: config.logLevel,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      // Not every property: errors of the driver carry the whole connection.
      serializers: { err: shortError },
      redact: {
        paths: ['req.headers.authorization', 'req.headers.cookie', 'password', '*.password', 'token', '*.token'],
        censor: '…',
      },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  )

/**
 * The path of a request as the log shows it: without its query, and without keys. Some addresses hold one, such as that of an application,
 * and it opens what it stands for: 256 bits as `newToken` writes them.
 */
export const loggedPath = (url: string): string => url.split('?', 1)[0]!.replaceAll(/\/[\w-]{43}(?=\/|$)/g, '/…')

/** An error as the log shows it, with what caused it. */
function shortError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, code, detail, constraint, table, cause } = error as Error & Record<string, unknown>
  return {
    type: name,
    message,
    code,
    detail,
    constraint,
    table,
    stack,
    ...(cause !== undefined && { cause: shortError(cause) }),
  }
}
