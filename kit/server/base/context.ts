import type { Db, Queryable, Tx } from '#db/connect.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { ReachSet } from '#access/reach.contract.ts'
import type { AnswerOf, BodyOf, Call, Language, ParamsOf, QueryOf } from '#kit/contract/index.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import type pg from 'pg'

/** The user who acts. */
export interface Actor {
  readonly user_id: number
  /** 1 instructor, 2 employee, 3 student, 4 applicant */
  readonly type: 1 | 2 | 3 | 4
  readonly name: string
  readonly name_local: string
  readonly email: string
  readonly is_super_admin: boolean
  readonly is_root: boolean
  /** Row of `students` of this person: of several, the one as which he or she works now. */
  readonly student_id: number | null
  /** Row of `instructors` of this person. */
  readonly instructor_id: number | null
  readonly session_id: string
  /** Who really sits there, when somebody is logged in as another person. */
  readonly impersonator_id: number | null
  /** By which delegation somebody acts for this person: the rights are what it names, no more. */
  readonly delegation_id?: number | null
  /** Logged in as another person without the right to change anything. */
  readonly read_only?: boolean
  /** Effective rights: of roles, direct ones and access entries together. A key that is absent is not held. */
  readonly rights: ReadonlyMap<PermissionKey, ReachSet>
}

/** What a handler works with. One per request (or job). */
export interface Ctx {
  /** The database; in a unit of work its transaction. */
  readonly db: Db
  /** The same for statements with a name (`query`): the pool; in a unit of work its one connection. */
  readonly pool: Queryable
  /** null on public calls by somebody who is not signed in, and in the system's own work. */
  readonly actor: Actor | null
  readonly lang: Language
  readonly ip: string | null
  readonly request_id: string
  /** Why the program acts by itself; null when a person asked. */
  readonly system: string | null
  /** The request itself, for the few calls that need more than their input (cookies, streams); null in jobs. */
  readonly http: { readonly request: FastifyRequest; readonly reply: FastifyReply } | null
  readonly services: Services
  /** Whether the reader holds one of the keys, whatever its reach. */
  can(...keys: PermissionKey[]): boolean
  /**
   * The one way to change data: a unit of work. It is one transaction in which the audit trail knows who acts; `reason`
   * is kept with every change it makes. Whatever it calls is part of it: `ctx.db` is the transaction, and a `write`
   * inside it joins. It is all or nothing: when something that joined failed, nothing is kept, also where the failure
   * was caught (`attempt` is for that). Deadlocks and serialisation failures are tried again by the outermost.
   */
  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>
  /**
   * Work that may fail without the unit around it failing: what it changed is taken back, and the failure is the
   * caller's to handle. Costs two round trips; not several at once. Outside a unit of work it just runs.
   */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /** Whether this runs inside a unit of work: nothing read now may be kept for, or shared with, others. */
  readonly inUnit: boolean
  /** Who acts, as the audit trail keeps it with a change. */
  who(reason?: string | null): Who
}

/** The acting user, as recorded in the audit trail. */
export interface Who {
  readonly actor_id: number | null
  readonly impersonator_id: number | null
  readonly ip: string | null
  readonly reason: string | null
  readonly request_id: string
}

export interface WriteOptions {
  /** Kept with every change that is made. */
  readonly reason?: string | null
  /** Milliseconds to wait for what others hold; for the outermost unit. A few seconds for requests, a minute for jobs. */
  readonly patience?: number
}

/** Identifies the sender of a request. */
export interface Auth {
  /** The person of the session (bearer token or cookie); null when none is given. @throws {Refusal} 401 `session_expired` */
  authenticate(request: FastifyRequest): Promise<Actor | null>
  /** Demands a proof of who sits there that is a few minutes old at most. @throws {Refusal} 403 `password_again` */
  demandProof(actor: Actor, second?: boolean): Promise<void>
}

/** What the program works with: the database and the other services. The assembly fills it. */
export interface Services {
  readonly db: Db
  readonly pool: pg.Pool
  readonly storage: import('../storage/index.ts').Storage
  readonly jobs: import('../jobs/jobs.ts').Jobs
  readonly events: import('./events.ts').Events
  readonly config: import('./config.ts').Config
  readonly mail: import('../mail/mail.ts').Mail
  readonly files: import('../files/files.ts').Files
  readonly security: import('../identity/security-log.ts').SecurityLog
}

/** A file as an answer: bytes or a stream, and the name under which a browser saves it. */
export interface FileResult {
  readonly name: string
  readonly type:
    | 'xlsx'
    | 'pdf'
    | 'zip'
    | 'csv'
    | 'json'
    | 'png'
    | 'jpg'
    | 'rar'
    | 'ics'
    | 'docx'
    | 'pptx'
    | 'txt'
    | 'xml'
  /** How its name ends, where programs know it by another ending than that of its type. */
  readonly ending?: string
  readonly content: Uint8Array | Readable
  /** Rows of a table that was taken out, for the security log. */
  readonly rows?: number
}

/** A file that came with a call. */
export interface Upload {
  readonly name: string
  readonly content: Uint8Array
  readonly ext: string
  readonly mime: string
  /** Of an upload that is streamed: where the whole is in the store, and how many bytes it has. */
  readonly stored?: { readonly hash: string; readonly size: number }
}

export interface HandlerInput<C> {
  readonly params: ParamsOf<C>
  readonly query: QueryOf<C>
  readonly body: BodyOf<C>
  readonly file: Upload | null
}
/** Answers a call. File calls answer with a `FileResult`. */
export type Handler<C> = (ctx: Ctx, input: HandlerInput<C>) => Promise<AnswerOf<C> | FileResult>

export interface Handled {
  readonly call: Call
  readonly handler: (ctx: Ctx, input: never) => Promise<unknown>
}
/** Binds a handler to a declared call. */
/**
 * The acting person, and the person who really sits there if somebody acts as another. Rules against acting for
 * oneself check both.
 */
export const peopleOf = ({ actor }: Pick<Ctx, 'actor'>): number[] =>
  [actor?.user_id, actor?.impersonator_id].filter((id) => id != null)

export const handle = <C extends Call>(c: C, handler: Handler<C>): Handled => ({ call: c, handler })
