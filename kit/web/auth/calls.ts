import type { Call, Method } from '#kit/contract/call.ts'
import type { Ref, Schema } from '#kit/contract/schema.ts'
import type { Language } from '#kit/contract/words.ts'

/**
 * Calls the shell itself sends. Only method and path are needed at run time: the declared contracts, and Zod with them,
 * stay out of what is loaded first. `apps/web/calls.test.ts` checks each against the declarations.
 */
export const known = <Body = undefined, Res = unknown, Params = Record<string, never>, Query = undefined>(
  method: Method,
  path: string,
) =>
  ({ method, path }) as unknown as Call<
    Method,
    string,
    Params,
    Query,
    Body extends undefined ? undefined : Schema<Body, Body>,
    Schema<Res, Res>
  >

/** Its last answer stays on the device, as the declaration says. */
const kept = <C extends object>(call: C): C => ({ ...call, kept: true })

/** 1 instructor, 2 employee, 3 student, 4 applicant */
export type UserType = 1 | 2 | 3 | 4

/** The signed-in person. */
export interface CurrentUser {
  readonly id: number
  readonly type: UserType
  readonly name: string
  readonly name_local: string
  readonly email: string | null
  readonly phone: string | null
  readonly language: Language | null
  /** Whether Hijri dates stand beside the others; null: as the university shows them. */
  readonly show_hijri: boolean | null
  /** Address of the photo for this reader. */
  readonly photo: string | null
  readonly is_super_admin: boolean
  readonly is_root: boolean
  readonly student_id: number | null
  readonly instructor_id: number | null
  readonly last_login_at: string | null
}
/** A record of a student of the person who is signed in: one in each program. */
export interface OwnRecord {
  readonly id: number
  readonly code: string
  readonly program: Ref
  readonly status: string
  readonly chosen: boolean
  readonly blocked: boolean
}
/** Who is signed in, and what may change while the application stays open. */
export interface Live {
  readonly user: CurrentUser
  /** Keys held, whatever their reach. */
  readonly permissions: readonly string[]
  readonly chat_notification_count: number
  /** Unread notifications. */
  readonly notification_count: number
  /** Who is logged in as this person, and whether anything may be changed. */
  readonly impersonation: { readonly by: Ref; readonly read_only: boolean; readonly until: string | null } | null
  /** The university is in read-only mode. */
  readonly read_only: boolean
  /** Records of a student among which the person may choose; empty where there are not several. */
  readonly records: readonly OwnRecord[]
}
export interface Profile extends CurrentUser {
  readonly roles: readonly {
    readonly name: string
    readonly name_local: string
    readonly scope: {
      readonly type: string
      readonly id: number
      readonly name: string
      readonly name_local: string
    } | null
    readonly valid_to: string | null
  }[]
  readonly role_permissions: readonly NamedRight[]
  readonly direct_permissions: readonly NamedRight[]
  readonly user_access_permissions: readonly NamedRight[]
  readonly access_entries: readonly (NamedRight & {
    readonly scope: { readonly type: string; readonly name: string; readonly name_local: string } | null
    readonly valid_to: string | null
  })[]
}
/** A right with its names. */
export interface NamedRight {
  readonly key: string
  readonly name: string
  readonly name_local: string
}
export interface Session {
  readonly id: string
  readonly current: boolean
  readonly created_at: string
  readonly last_used_at: string
  readonly expires_at: string
  readonly ip: string | null
  readonly user_agent: string | null
  readonly impersonator: string | null
  readonly signed_in_by: 'password' | 'link' | 'provider' | 'passkey' | null
  readonly second_factor: 'code' | 'recovery_code' | 'passkey' | null
}
/** The data for setting up an authenticator app. */
export interface Enrolment {
  readonly secret: string
  readonly address: string
  readonly qr: { readonly size: number; readonly path: string }
}
/** What follows a first factor: entering a second one, or setting one up; and the possible ways. */
export interface NextStep {
  readonly ticket: string
  readonly step: 'prove' | 'enrol'
  readonly ways: readonly ('passkey' | 'code')[]
}
/** `key` is `{area}.{key of its catalogue}`; `data` fills its placeholders in the reader's language. */
export interface Notification {
  readonly id: number
  readonly key: string
  readonly data: Readonly<Record<string, string | number | null>>
  /** Address inside the application. */
  readonly link: string | null
  /** What the university says itself; null: the text of the key. */
  readonly text: string | null
  readonly created_at: string
  readonly read_at: string | null
}
/** What waits: its text as a notification's; `since` and `until` are instants. */
export interface WorkItem extends Pick<Notification, 'key' | 'data'> {
  readonly link: string
  readonly since: string | null
  readonly until: string | null
}
/** Of the day's plan, with times `HH:MM`. */
export interface TodayItem extends Pick<WorkItem, 'key' | 'data' | 'link'> {
  readonly start: string
  readonly end: string
}
/** Settings anyone may know before signing in, by name; flags travel as `true` and `false`. */
export type UniversityData = Readonly<Record<string, string | undefined>>

export type SignedIn = { data: { token: string; user: CurrentUser } }
/** An identity of single sign-on that was linked to the user's account. */
export type Linked = { data: { linked: true } }
/** In, or one step before it. */
export type FirstStep = { data: SignedIn['data'] | { second_factor: NextStep } }
export const calls = {
  login: known<{ email: string; password: string; type?: UserType }, FirstStep>('POST', '/login'),
  loginWithToken: known<{ token: string }, FirstStep>('POST', '/login-with-token'),
  providerAddress: known<undefined, { data: { url: string } }, Record<string, never>, { by?: 'oidc' | 'saml' }>(
    'GET',
    '/get-ms-login-url',
  ),
  providerReturn: known<{ state: string } & Readonly<Record<string, string>>, FirstStep | Linked>(
    'POST',
    '/ms-login/callback',
  ),
  logout: known<undefined, { data: SignedIn['data'] | null; meta?: { url: string } }>('POST', '/users/logout'),
  live: kept(known<undefined, { data: Live }>('GET', '/users/live-data')),
  first: known<undefined, { data: { address: string | null } }>('GET', '/users/first'),
  chooseRecord: known<undefined, { data: OwnRecord[] }, { id: number }>('PUT', '/users/records/{id}'),
  profile: known<undefined, { data: Profile }>('GET', '/users/profile'),
  updateProfile: known<
    { phone?: string | null; language?: Language | null; show_hijri?: boolean | null },
    { data: CurrentUser }
  >('PUT', '/users/profile'),
  photoOf: known<
    undefined,
    { data: { user_id: number | null; photo: string | null; may_change: boolean } },
    { kind: 'user' | 'student' | 'instructor'; id: number }
  >('GET', '/people/{kind}/{id}/photo'),
  updatePhoto: {
    ...known<undefined, { data: CurrentUser }, { id: number }>('POST', '/archive/update/profile/{id}'),
    upload: { field: 'photo', accept: ['jpg', 'png'], maxMB: 3 } as const,
  },
  resetPassword: known<
    | { email: string }
    | { token: string; password: string }
    | { current_password: string; password: string }
    | { user_id: number },
    { data: { step: 'sent' | 'changed' } }
  >('POST', '/users/reset-password'),
  sessions: known<undefined, { data: Session[] }>('GET', '/users/sessions'),
  endSession: known<undefined, { id: string }, { session_id: string }>('DELETE', '/users/sessions/{session_id}'),
  endSessionsOf: known<undefined, { ended: number }, { kind: 'user' | 'student' | 'instructor'; id: number }>(
    'DELETE',
    '/people/{kind}/{id}/sessions',
  ),
  invite: known<undefined, { data: { user_id: number } }, { kind: 'user' | 'student' | 'instructor'; id: number }>(
    'POST',
    '/people/{kind}/{id}/invite',
  ),
  loginAsUser: known<({ user_id: number } | { instructor_id: number }) & { change?: boolean }, SignedIn>(
    'POST',
    '/login-as-user',
  ),
  loginAsStudent: known<{ student_id: number; change?: boolean }, SignedIn>('POST', '/login-as-student'),
  block: known<
    { kind: 'student' | 'user' | 'instructor'; blocked: boolean; reason: string | null },
    unknown,
    { id: number }
  >('POST', '/block/{id}'),
  lookup: known<
    { name: string; search?: string; ids?: (number | string)[]; filters?: Record<string, unknown>; limit?: number },
    { data: { id: number | string; name: string; name_local?: string | null; code?: string | null }[]; more: boolean }
  >('POST', '/lookups/get'),
  search: known<
    { names: readonly string[]; search: string; limit: number },
    {
      data: {
        name: string
        data: { id: number | string; name: string; name_local?: string | null; code?: string | null }[]
      }[]
    }
  >('POST', '/search'),
  university: known<undefined, { data: UniversityData }>('GET', '/university/data'),
  notifications: kept(known<undefined, { data: Notification[] }>('GET', '/notifications')),
  // An answer that an earlier version kept on the device has no `besides`.
  work: kept(
    known<undefined, { data: { waiting: WorkItem[]; today: TodayItem[]; besides?: string[] } }>('GET', '/users/work'),
  ),
  readNotifications: known<{ ids?: number[] }>('POST', '/notifications/read'),
}
