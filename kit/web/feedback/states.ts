import type { Tone } from '#kit/contract/field.ts'

/**
 * What a thing is at, by its meaning: the one table that gives it colour and shape, so that the same state looks the same
 * on every screen. States that are values of a field have their tone with their word in the contract, once as well.
 */
export const STATES = {
  // Windows, registration, terms
  open: 'active',
  closed: 'draft',
  opens_later: 'waiting',
  finished: 'done',
  unfinished: 'draft',
  revised: 'waiting',
  outdated: 'waiting',
  // What somebody waits for
  waits: 'waiting',
  queued: 'waiting',
  full: 'waiting',
  late: 'refused',
  ready: 'done',
  nobody_ready: 'draft',
  // Requirements
  met: 'done',
  in_progress: 'active',
  missing: 'draft',
  unmet: 'refused',
  supposed: 'waiting',
  passed: 'draft',
  // People and records
  enabled: 'done',
  blocked: 'refused',
  removed: 'frozen',
  dismissed: 'refused',
  general: 'active',
  current: 'active',
  chosen: 'active',
  // Folders, and files on their way
  limited: 'frozen',
  upload_waiting: 'draft',
  upload_running: 'active',
  upload_paused: 'waiting',
  upload_done: 'done',
  upload_failed: 'refused',
  // An offering on the learning platform
  synced: 'done',
  partly: 'waiting',
  not_synced: 'refused',
  never_synced: 'draft',
  // What is mailed again and again
  mail_runs: 'done',
  mail_failed: 'refused',
  mail_ended: 'frozen',
  // Rows of a sheet
  added: 'active',
  changed: 'waiting',
  unchanged: 'draft',
  wrong: 'refused',
  left_out: 'frozen',
  // Papers and work
  official: 'done',
  valid: 'done',
  revoked: 'refused',
  replaced: 'draft',
  internal: 'draft',
  done: 'done',
  failed: 'refused',
  cancelled: 'draft',
  undone: 'draft',
  expired: 'frozen',
} as const satisfies Readonly<Record<string, Tone>>
export type State = keyof typeof STATES
