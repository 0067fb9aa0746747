import type { Call, Method } from '#kit/contract/call.ts'
import type { Schema } from '#kit/contract/schema.ts'

/**
 * Calls the shell itself sends. Only method and path are needed at run time: the declared contracts, and Zod with them,
 * stay out of what is loaded first. `apps/web/calls.test.ts` checks each against the declarations.
 */
const known = <Body = undefined, Res = unknown, Params = Record<string, never>, Query = undefined>(method: Method, path: string) =>
  ({ method, path }) as unknown as Call<
    Method,
    string,
    Params,
    Query,
    Body extends undefined ? undefined : Schema<Body, Body>,
    Schema<Res, Res>
  >

/** 1 instructor, 2 employee, 3 student, 4 applicant */
export type UserType = 1 | 2 | 3 | 4

/** Who is signed in, and what may change while the application stays open. */
export interface Live {
  readonly user: {
    readonly id: number
    readonly type: UserType
    readonly name: string
    readonly name_local: string
    readonly email: string
    readonly is_super_admin: boolean
    readonly is_root: boolean
    readonly student_id?: number | null
    readonly instructor_id?: number | null
    readonly photo_file_id?: number | null
    readonly [more: string]: unknown
  }
  /** Keys held, whatever their reach. */
  readonly permissions: readonly string[]
  readonly chat_notification_count: number
  /** The university is in read-only mode. */
  readonly read_only?: boolean
  /** Somebody is logged in as this person. */
  readonly impersonation?: { readonly name: string; readonly name_local: string; readonly read_only: boolean } | null
}

export interface Session {
  readonly id: string
  readonly created_at: string
  readonly last_used_at: string
  readonly ip: string | null
  readonly user_agent: string | null
  readonly current: boolean
}
export interface Notification {
  readonly id: number
  readonly title: string
  readonly title_local?: string | null
  readonly body?: string | null
  readonly body_local?: string | null
  readonly link?: string | null
  readonly created_at: string
  readonly read_at: string | null
}
/** Values that anyone may know before signing in: names, logo, accent. */
export type PublicSettings = Readonly<Record<string, string>>

export const calls = {
  login: known<{ email: string; password: string; type?: UserType; code?: string }, { data: { token: string; user: Live['user'] } | { two_factor: true } }>('POST', '/login'),
  loginWithToken: known<{ token: string }, { data: { token: string; user: Live['user'] } }>('POST', '/login-with-token'),
  providerAddress: known<undefined, { data: { url: string } }>('GET', '/get-ms-login-url'),
  providerReturn: known<{ code: string; state: string; session_state?: string }, unknown>('POST', '/ms-login/callback'),
  logout: known<undefined, unknown>('POST', '/users/logout'),
  live: known<undefined, { data: Live }>('GET', '/users/live-data'),
  profile: known<undefined, { data: Record<string, unknown> }>('GET', '/users/profile'),
  resetPassword: known<{ email: string } | { token: string; password: string }, unknown>('POST', '/users/reset-password'),
  sessions: known<undefined, { data: Session[] }>('GET', '/users/sessions'),
  endSession: known<undefined, unknown, { session_id: string }>('DELETE', '/users/sessions/{session_id}'),
  lookup: known<
    { name: string; search?: string; ids?: (number | string)[]; filters?: Record<string, unknown>; limit?: number },
    { data: { id: number | string; name: string; name_local?: string | null; code?: string | null }[] }
  >('POST', '/lookups/get'),
}
