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
