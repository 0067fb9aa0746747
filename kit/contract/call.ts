import type { PermissionKey } from '#access/permissions.contract.ts'
import { z } from 'zod'
import { idParam, paperLanguage } from './schema.ts'
import type { Input, Output, Schema } from './schema.ts'
import type { Label } from './words.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
/** Who may call: holders of one permission, holders of any of several, every signed-in user, or anyone. */
export type Access = PermissionKey | readonly PermissionKey[] | 'signed_in' | 'public'

type ParamNames<P extends string> = P extends `${string}{${infer N}}${infer Rest}` ? N | ParamNames<Rest> : never
type DefaultParam<N> = N extends 'lang' ? 'ar' | 'en' : number

/** What a call answers with when it is a file. */
export interface FileAnswer {
  /** Suggested file name; the handler may give a more exact one. */
  readonly name: string
  readonly type: 'xlsx' | 'pdf' | 'zip' | 'csv' | 'json' | 'ics' | 'xml' | 'txt'
  /** It is called just that, whatever the handler calls it. */
  readonly fixed?: boolean
}

/** One call of the API: declared once; server, browser, OpenAPI and generated tests derive from it. */
export interface Call<
  M extends Method = Method,
  P extends string = string,
  Params = unknown,
  Query = unknown,
  Body = unknown,
  Res = unknown,
> {
  readonly method: M
  readonly path: P
  readonly permission: Access
  /** What it does, in the imperative. */
  readonly summary: Label
  readonly params: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** Files arrive as multipart: field name, accepted kinds; `body` then describes the text fields that come before it. */
  readonly upload?: {
    readonly field: string
    readonly accept: readonly string[]
    /** What is accepted as people call it, for the refusal of anything else; without it the kinds are named. */
    readonly called?: string
    readonly maxMB?: number
    /** The call may also come without a file, then as JSON. */
    readonly optional?: boolean
    /** What comes is a part of a file: it is not looked into, and counts by its bytes only. Who joins the parts does both. */
    readonly part?: boolean
    /**
     * The file is put into the store while it arrives, and lent there for seven days, so that a large one costs no memory: what
     * the handler is given of its content is the beginning, and `stored` says what the whole is.
     */
    readonly streamed?: boolean
  }
  /**
   * Of a sort that keeps the database busy: everything of a term, a whole population, a search through texts. Of these fewer
   * are answered at once, of one person and of all. A function tells it by the body; what pages through a list is heavy
   * where it searches. Files have turns of their own.
   */
  readonly heavy?: boolean | ((body: never) => boolean)
  /** Bytes of JSON it takes where that is more than usual (256 kB; 16 kB where nobody has to sign in): a whole grid, say. */
  readonly maxBody?: number
  readonly response?: z.ZodType
  readonly file?: FileAnswer
  /** true when a POST or PUT changes nothing (lists, lookups, exports): allowed in read-only mode. */
  readonly reads: boolean
  /**
   * Sensitive: who sits there must have given the password within the last minutes, else the call answers 403
   * `password_again`, and the browser asks for it and repeats the call. A function tells it by the body. `second factor`: where
   * one is set up the password alone is not enough (`second_factor_again`): for what could take that factor away, or go round it.
   */
  readonly confirm?: 'password' | 'second factor' | ((body: never) => boolean)
  /**
   * What the security log keeps of a call that was answered. The name of a kind of record: who read whose, by `{id}` of the
   * path. `false`: nothing of a file that tells of nobody (a template); every other file is kept as taken out.
   */
  readonly traced?: string | false
  /**
   * Of the person alone: not for somebody who acts for the person by a delegation. `always`: nor for somebody who is logged
   * in as the person, not even to read.
   */
  readonly personal?: boolean | 'always'
  /**
   * The last answer stays on the device of the person who asked, to be read where there is no line (`kit/web/offline`), and
   * goes with the session. Only for calls that read what the person needs on the way: the own timetable, say. `own`: only
   * where the first parameter of the path is the person's own record, of a call that answers about others as well.
   */
  readonly kept?: boolean | 'own'
  /** By this call the university's read-only mode ends: it is open then, and refuses everything else itself. */
  readonly endsReadOnly?: boolean
  /** Answered during maintenance as well: what the sign-in page needs, and signing in and out. */
  readonly inMaintenance?: boolean
  /** Example body for the OpenAPI page and the generated tests; ids refer to the demo university where needed. */
  readonly example?: unknown
  readonly _types?: { params: Params; query: Query; body: Body; response: Res }
}

/**
 * Declares a call. Path parameters are ids unless `params` says otherwise (`{lang}` is ar or en).
 *
 * @example call('POST', '/students/{id}/transcript/{lang}', { permission: 'print_transcript', summary: [...], file: {...} })
 */
export function call<
  const M extends Method,
  const P extends string,
  PS extends Schema | undefined = undefined,
  QS extends Schema | undefined = undefined,
  BS extends Schema | undefined = undefined,
  RS extends Schema | undefined = undefined,
>(
  method: M,
  path: P,
  spec: {
    permission: Access
    summary: Label
    params?: PS
    query?: QS
    body?: BS
    response?: RS
    upload?: Call['upload']
    heavy?: boolean | ((body: Output<BS>) => boolean)
    maxBody?: number
    file?: FileAnswer
    reads?: boolean
    confirm?: 'password' | 'second factor' | ((body: Output<BS>) => boolean)
    traced?: string | false
    personal?: boolean | 'always'
    kept?: boolean | 'own'
    endsReadOnly?: boolean
    inMaintenance?: boolean
    example?: unknown
  },
): Call<M, P, PS extends Schema ? Output<PS> : { [N in ParamNames<P>]: DefaultParam<N> }, Output<QS>, BS, RS> {
  const reads = spec.reads ?? method === 'GET'
  if (spec.kept && (!reads || spec.file)) throw new Error(`${method} ${path}: only answers that are read are kept`)
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!)
  const given = spec.params as unknown as z.ZodType | undefined
  const params =
    given ?? z.object(Object.fromEntries(names.map((name) => [name, name === 'lang' ? paperLanguage : idParam])))
  return {
    ...spec,
    method,
    path,
    params,
    reads,
    heavy: spec.heavy ?? (searches(spec.body as z.ZodType | undefined) ? isSearch : undefined),
  } as never
}

/** Whether a body is that of a list which can be searched. */
const searches = (body: z.ZodType | undefined): boolean =>
  body instanceof z.ZodObject && 'search' in body.shape && 'perPage' in body.shape
const isSearch = ({ search }: { readonly search?: string }): boolean => Boolean(search)

export type ParamsOf<C> = C extends Call<Method, string, infer P, infer _Q, infer _B, infer _R> ? P : never
export type QueryOf<C> = C extends Call<Method, string, infer _P, infer Q, infer _B, infer _R> ? Q : never
/** What the handler receives. */
export type BodyOf<C> = C extends Call<Method, string, infer _P, infer _Q, infer B, infer _R> ? Output<B> : never
/** What the caller sends. */
export type BodyInputOf<C> = C extends Call<Method, string, infer _P, infer _Q, infer B, infer _R> ? Input<B> : never
/** What the caller receives. */
export type ResponseOf<C> = C extends Call<Method, string, infer _P, infer _Q, infer _B, infer R> ? Output<R> : never
/** What the handler answers with. */
export type AnswerOf<C> = C extends Call<Method, string, infer _P, infer _Q, infer _B, infer R> ? Input<R> : never
