import { z } from 'zod'
import { call } from '#kit/contract/index.ts'

/** What is tried while somebody waits: each ends after some seconds. */
/** Failed jobs that are told, the latest first. */
export const MOST_FAILED = 20
export const CHECKS = ['database', 'storage', 'mail', 'provider'] as const
export type CheckName = (typeof CHECKS)[number]
const check = z.object({
  name: z.enum(CHECKS),
  /** `unset`: not set up here, and so not needed. */
  state: z.enum(['ok', 'failed', 'unset']),
  ms: z.int().nullable(),
  /** What went wrong, in the program's own words. */
  fault: z.string().nullable(),
})
const failed = z.object({
  id: z.uuid(),
  name: z.string(),
  at: z.string(),
  error: z.object({ en: z.string(), ar: z.string() }).nullable(),
  /** What it was sent with is known still, so that it can be sent again. */
  can_retry: z.boolean(),
})
const state = z.object({
  version: z.string(),
  node: z.string(),
  database: z.object({ version: z.string(), bytes: z.number(), connections: z.int(), most_connections: z.int() }),
  started_at: z.string(),
  now: z.string(),
  migrations: z.object({
    last: z.string().nullable(),
    at: z.string().nullable(),
    ran: z.int(),
    pending: z.array(z.string()),
  }),
  /** Processes of the program on this database. */
  processes: z.array(z.object({ since: z.string(), address: z.string().nullable(), own: z.boolean() })),
  queues: z.array(
    z.object({
      name: z.string(),
      waiting: z.int(),
      running: z.int(),
      done_today: z.int(),
      failed_today: z.int(),
      oldest: z.string().nullable(),
    }),
  ),
  failed: z.array(failed),
  mails_waiting: z.int(),
  checks: z.array(check),
  /** Whether the key by which credentials are signed was set; else it is one that was made here and lies in the database. */
  credentials_key: z.boolean(),
  /** Where files lie on this machine; null on a store elsewhere. */
  disk: z.object({ free: z.number(), total: z.number() }).nullable(),
  /** The newest backup that `npm run backup` finished; null: none is known. */
  backup: z.object({ at: z.string(), bytes: z.number() }).nullable(),
  /** The certificate with which papers are signed; null: none was issued yet. `made`: the program vouches for itself. */
  papers: z.object({ made: z.boolean(), until: z.string() }).nullable(),
})
export type DeploymentState = z.output<typeof state>

export const deploymentCalls = {
  deployment: call('GET', '/deployment', {
    permission: 'access_deployment',
    summary: ['State of the installation', 'حالة تشغيل النظام'],
    response: z.object({ data: state }),
  }),
  tryMail: call('POST', '/deployment/mail', {
    permission: 'access_deployment',
    summary: ['Send a trial mail to the own address', 'إرسال رسالة تجريبية إلى بريدي'],
    response: z.object({ data: z.object({ sent_to: z.string() }) }),
  }),
  retryJob: call('POST', '/deployment/jobs/{id}/retry', {
    permission: 'access_deployment',
    summary: ['Send a failed job again', 'إعادة مهمة فشلت'],
    params: z.object({ id: z.uuid() }),
    response: z.object({ data: z.object({ id: z.uuid() }) }),
  }),
}
