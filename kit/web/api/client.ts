import type { BodyInputOf, Call, Method, ParamsOf, QueryOf, ResponseOf } from '#kit/contract/call.ts'
import { ApiError, isOffline } from './error.ts'

// oxlint-disable-next-line no-explicit-any -- any call: its types are inferred where it is used
export type AnyCall = Call<Method, any, any, any, any, any>

type Given<K extends string, T> = [T] extends [undefined]
  ? { [N in K]?: undefined }
  : {} extends T
    ? { [N in K]?: T }
    : { [N in K]: T }
/** The input of a call; `params`, `query` and `body` are required exactly if the call declares them. */
export type SendInput<C> = Given<'params', ParamsOf<C>> &
  Given<'query', QueryOf<C>> &
  Given<'body', BodyInputOf<C>> & {
    /** The file of an upload call; `body` then travels as text fields before it. */
    file?: File
    /** Upload progress in whole percent. */
    onProgress?: (percent: number) => void
    signal?: AbortSignal
  }
/** A call without required parts can be sent without input. */
export type SendArgs<C> = {} extends SendInput<C> ? [input?: SendInput<C>] : [input: SendInput<C>]

interface Given0 {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  file?: File
  onProgress?: (percent: number) => void
  signal?: AbortSignal
}

/** Events of the client for the shell, which decides what the reader sees. */
export interface ClientHooks {
  /** Language of texts and papers for this request. */
  language(): string
  /** As which of several own records the call is meant; null: it does not matter. */
  record(call: AnyCall): number | null
  /** After every refusal, before it is passed on to the caller. */
  refused(error: ApiError, call: AnyCall): void
  /** A call wants to know again who sits there: asks, and tells whether the call may be sent anew. */
  proveAgain(error: ApiError): Promise<boolean>
  /** The session is over: asks to sign in where something would be lost, and tells whether the call may be sent anew. */
  signInAgain(error: ApiError, call: AnyCall): Promise<boolean>
  /** An answer that sends the reader to the dashboard (a survey has to be filled first). */
  redirected(): void
  /** Whether the server was reached: told after each call. */
  line(there: boolean): void
  /** The answer of a call that is kept has come: it stays on the device. */
  keep(call: AnyCall, input: object, answer: unknown): void
  /** The answer that was kept of a call, now that the server cannot be reached; undefined: there is none. */
  kept(call: AnyCall, input: object): Promise<unknown>
  /** The record that was asked for went into another one, which has answered: its id, and that of the other. */
  merged(from: string, into: string): void
}
let hooks: ClientHooks = {
  language: () => 'en',
  record: () => null,
  refused: () => {},
  proveAgain: async () => false,
  signInAgain: async () => false,
  redirected: () => {},
  line: () => {},
  keep: () => {},
  kept: async () => undefined,
  merged: () => {},
}
export const setClientHooks = (given: Partial<ClientHooks>): void => {
  hooks = { ...hooks, ...given }
}

/** The documents' limit for any call: 150,000,000 ms. Timers hold no more than 2^31 ms, so it fits. */
const TIMEOUT_MS = 150_000_000

/** The address of a call with its parameters and query filled in. */
export function addressOf(
  call: Pick<AnyCall, 'path'>,
  params: Record<string, unknown> = {},
  query: Record<string, unknown> = {},
): string {
  const path = (call.path as string).replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one))
  }
  const text = search.toString()
  return `/api${path}${text && `?${text}`}`
}

interface Answer {
  status: number
  header(name: string): string | null
  json(): Promise<unknown>
  blob(): Promise<Blob>
}

const headersOf = (call: AnyCall, hasJson: boolean): Record<string, string> => ({
  accept: 'application/json',
  'accept-language': hooks.language(),
  'page-url': window.location.href,
  ...(hasJson ? { 'content-type': 'application/json' } : {}),
  ...recordHeader(hooks.record(call)),
})
const recordHeader = (record: number | null): Record<string, string> =>
  record === null ? {} : { 'x-record': String(record) }

/** An upload: `fetch` tells nothing about how much has been sent. */
const upload = (call: AnyCall, url: string, form: FormData, input: Given0) =>
  new Promise<Answer>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(call.method, url)
    for (const [name, value] of Object.entries(headersOf(call, false))) request.setRequestHeader(name, value)
    request.responseType = 'blob'
    request.timeout = TIMEOUT_MS
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) input.onProgress?.(Math.round((event.loaded / event.total) * 100))
    }
    request.onload = () =>
      resolve({
        status: request.status,
        header: (name) => request.getResponseHeader(name),
        json: async () => JSON.parse(await (request.response as Blob).text()),
        blob: async () => request.response as Blob,
      })
    request.onerror = request.ontimeout = () => reject(new TypeError('network'))
    request.onabort = () => reject(new DOMException('aborted', 'AbortError'))
    input.signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })

async function answerTo(call: AnyCall, input: Given0): Promise<Answer> {
  const url = addressOf(call, input.params, input.query)
  try {
    if (call.upload && (input.file || !call.upload.optional)) {
      const form = new FormData()
      for (const [name, value] of Object.entries((input.body ?? {}) as Record<string, unknown>)) {
        if (value !== undefined) form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
      }
      // The file comes last: the server reads the fields before it streams the file.
      if (input.file) form.append(call.upload.field, input.file, input.file.name)
      return await upload(call, url, form, input)
    }
    const hasBody = call.method !== 'GET' && input.body !== undefined
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(url, {
      method: call.method,
      headers: headersOf(call, hasBody),
      ...(hasBody ? { body: JSON.stringify(input.body) } : {}),
      credentials: 'same-origin',
      signal: input.signal ? AbortSignal.any([input.signal, timeout]) : timeout,
    })
    hooks.line(true)
    return {
      status: response.status,
      header: (name) => response.headers.get(name),
      json: () => response.json(),
      blob: () => response.blob(),
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    hooks.line(false)
    throw failed(new ApiError(0, { message: 'offline' }), call)
  }
}

const failed = (error: ApiError, call: AnyCall): ApiError => {
  hooks.refused(error, call)
  return error
}

/** How often a call that reads is sent again by itself where the server is busy with others of the same person. */
const MOST_TRIES = 4
/** Seconds for which somebody waits without being told. */
const LONGEST_WAIT = 10

/** Seconds until the server may be called again; null: unknown, or so many that the user is told instead. */
export function secondsToWait(header: string | null): number | null {
  const seconds = header !== null && /^\d+$/.test(header) ? Number(header) : Number.NaN
  return seconds <= LONGEST_WAIT ? seconds : null
}
/** Not to the millisecond: what was refused together does not come back together. */
const pause = (seconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const gone = () => {
      clearTimeout(timer)
      reject(new DOMException('aborted', 'AbortError'))
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', gone)
        resolve()
      },
      seconds * (1 + Math.random()) * 1000,
    )
    signal?.addEventListener('abort', gone, { once: true })
    if (signal?.aborted) gone()
  })

async function request(call: AnyCall, input: Given0, tries = 0): Promise<Answer> {
  const answer = await answerTo(call, input)
  if (answer.status >= 200 && answer.status < 300) return answer
  const body = await answer.json().catch(() => null)
  const error = new ApiError(answer.status, body && typeof body === 'object' ? (body as Record<string, unknown>) : {})
  const asks = error.status === 403 && (error.code === 'password_again' || error.code === 'second_factor_again')
  if (asks && (await hooks.proveAgain(error))) return request(call, input)
  if (error.status === 401 && (await hooks.signInAgain(error, call))) return request(call, input)
  const wait = error.status === 429 && call.reads ? secondsToWait(answer.header('retry-after')) : null
  if (wait !== null && tries < MOST_TRIES) {
    await pause(wait, input.signal)
    return request(call, input, tries + 1)
  }
  throw failed(error, call)
}

const leadsToDashboard = (body: unknown): boolean => {
  const b = body as { redirect_to?: unknown; data?: { redirect_to?: unknown } } | null
  return b?.redirect_to === 'dashboard' || b?.data?.redirect_to === 'dashboard'
}

/** Sends a call. Throws `ApiError` on every refusal; the caller shows what belongs to its fields. */
export async function send<C extends AnyCall>(call: C, ...[input]: SendArgs<C>): Promise<ResponseOf<C>> {
  let answer: Answer
  try {
    answer = await request(call, input ?? {})
  } catch (error) {
    const kept = call.kept && isOffline(error) ? await hooks.kept(call, input ?? {}) : undefined
    if (kept === undefined) throw error
    return kept as ResponseOf<C>
  }
  if (answer.status === 204) return undefined as ResponseOf<C>
  const body = await answer.json()
  if (leadsToDashboard(body)) hooks.redirected()
  else if (call.kept) hooks.keep(call, input ?? {}, body)
  const into = answer.header('x-merged-into')
  if (into) {
    const { id, ...others } = (input?.params ?? {}) as Record<string, unknown>
    hooks.merged(String(id ?? Object.values(others)[0]), into)
  }
  return body as ResponseOf<C>
}

/** The name in a content-disposition header; the RFC 5987 form wins because it holds Arabic. */
export function fileNameIn(disposition: string | null): string | null {
  const extended = /filename\*\s*=\s*UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (extended) {
    try {
      return decodeURIComponent(extended)
    } catch {
      // A broken encoding: the plain name follows.
    }
  }
  return /filename\s*=\s*"?([^";]+)"?/i.exec(disposition ?? '')?.[1] ?? null
}

/** Puts bytes into the reader's downloads. */
export function saveAs(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Fetches a file without saving it, e.g. to print or preview. */
export async function fetchFile<C extends AnyCall>(
  call: C,
  ...[input]: SendArgs<C>
): Promise<{ name: string; content: Blob }> {
  const answer = await request(call, input ?? {})
  return {
    name: fileNameIn(answer.header('content-disposition')) ?? call.file?.name ?? 'file',
    content: await answer.blob(),
  }
}

/** Sends a call that answers with a file, and saves it under the name the server gives. */
export async function download<C extends AnyCall>(call: C, ...args: SendArgs<C>): Promise<void> {
  const { name, content } = await fetchFile(call, ...args)
  saveAs(content, name)
}
