/** Calls over HTTP, many at once, counted and timed by step: what the journeys without a browser work with. */
import { Agent, FormData, fetch } from 'undici'
import { KIT_ERRORS } from '#kit/contract/index.ts'
import { AREAS } from '../../apps/areas.contract.ts'

/** Codes of every refusal that the contract declares; any other one is a fault. */
const DECLARED = new Set([...Object.keys(KIT_ERRORS), ...AREAS.flatMap((area) => Object.keys(area.errors))])
/** How long a caller who came too often waits at most, and how often, before it is a fault. */
const PATIENCE = { seconds: 90, times: 20 }

/** What a step came to. Times are milliseconds of single calls, in the order in which they ended. */
export interface Step {
  readonly name: string
  seconds: number
  calls: number
  readonly times: number[]
  /** How many answers had each code of refusal. */
  readonly refused: Record<string, number>
  /** Told to come later, and did. */
  waited: number
  /** What the step brought, in a few words. */
  note: string
}

export interface Reply<T = any> {
  readonly status: number
  readonly body: T
  readonly bytes: Buffer
  readonly headers: Headers
  /** Codes of a refusal; empty when it succeeded. */
  readonly codes: readonly string[]
}
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
interface Sent {
  /** Codes with which this call may be refused here; without them every refusal is a fault. */
  readonly may?: readonly string[] | 'declared'
  readonly file?: { readonly name: string; readonly content: Uint8Array }
}
/** Somebody signed in, or nobody. */
export type Caller = (method: Method, path: string, body?: unknown, sent?: Sent) => Promise<Reply>

/** What nobody declared or expected. */
export class Fault extends Error {
  override name = 'Fault'
}

/**
 * A client of one or several servers of the same university, which takes turns among them.
 * @param addresses such as `http://127.0.0.1:4000`
 * @param connections at once, over all
 */
export function createClient(addresses: readonly string[], connections: number) {
  const agent = new Agent({ connections: Math.ceil(connections / addresses.length), pipelining: 1 })
  const steps: Step[] = []
  let now: Step = { name: '', seconds: 0, calls: 0, times: [], refused: {}, waited: 0, note: '' }
  let turn = 0

  async function once(method: Method, path: string, token: string, body: unknown, file: Sent['file']): Promise<Reply> {
    let payload: string | FormData | undefined
    if (file) {
      payload = new FormData()
      payload.append('file', new Blob([file.content as Uint8Array<ArrayBuffer>]), file.name)
    } else if (body !== undefined) payload = JSON.stringify(body)
    const begun = performance.now()
    const answer = await fetch(`${addresses[turn++ % addresses.length]}/api${path}`, {
      method,
      dispatcher: agent,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(payload !== undefined && !file && { 'content-type': 'application/json' }),
      },
      ...(payload !== undefined && { body: payload as string }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    now.calls++
    now.times.push(performance.now() - begun)
    const json = answer.headers.get('content-type')?.startsWith('application/json')
    const parsed = json ? JSON.parse(bytes.toString()) : undefined
    const codes = answer.status >= 400 ? ((parsed?.errors ?? []) as { code: string }[]).map(({ code }) => code) : []
    return { status: answer.status, body: parsed, bytes, headers: answer.headers as never, codes }
  }

  const as =
    (token: string): Caller =>
    async (method, path, body, { may = [], file } = {}) => {
      for (let times = 1; ; times++) {
        const reply = await once(method, path, token, body, file)
        if (reply.status < 300) return reply
        for (const code of new Set(reply.codes)) now.refused[code] = (now.refused[code] ?? 0) + 1
        if (reply.status === 429 && times <= PATIENCE.times) {
          const seconds = Math.min(PATIENCE.seconds, Number(reply.headers.get('retry-after')) || 1)
          now.waited++
          await new Promise((resolve) => setTimeout(resolve, (seconds + Math.random()) * 1000))
          continue
        }
        const expected = may === 'declared' ? DECLARED : new Set(may)
        const refusal =
          reply.status < 500 && reply.codes.length > 0 && reply.codes.every((c) => expected.has(c) && DECLARED.has(c))
        if (refusal) return reply
        throw new Fault(
          `${method} ${path} ${JSON.stringify(body ?? {}).slice(0, 300)}: ${reply.status} ${reply.bytes.toString().slice(0, 600)}`,
        )
      }
    }

  return {
    steps,
    as,
    nobody: as(''),
    /** Does a step, and keeps how long it took. What it answers in words becomes its note. */
    async step<T>(name: string, work: () => Promise<T>, note: (result: T) => string = () => ''): Promise<T> {
      now = { name, seconds: 0, calls: 0, times: [], refused: {}, waited: 0, note: '' }
      steps.push(now)
      const begun = performance.now()
      const result = await work()
      now.seconds = (performance.now() - begun) / 1000
      now.note = note(result)
      return result
    },
    close: () => agent.close(),
  }
}
export type Client = ReturnType<typeof createClient>

/** Does something with each item, so many at once; the results in the order of the items. */
export async function each<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const i = next++
      results[i] = await work(items[i]!, i)
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, lane))
  const failed = ended.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  return results
}

const share = (sorted: readonly number[], part: number): string =>
  sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!.toFixed(0) : ''

/** Steps as lines of a table. */
export function tableOf(steps: readonly Step[]): string {
  const rows = steps.map((step) => {
    const sorted = step.times.toSorted((a, b) => a - b)
    const refused = Object.entries(step.refused).map(([code, count]) => `${count} ${code}`)
    return [
      step.name,
      step.seconds.toFixed(1),
      String(step.calls),
      step.seconds > 0 && step.calls ? (step.calls / step.seconds).toFixed(0) : '',
      share(sorted, 0.5),
      share(sorted, 0.95),
      share(sorted, 1),
      [step.note, ...(refused.length ? [`refused: ${refused.join(', ')}`] : [])].filter(Boolean).join('; '),
    ]
  })
  const head = ['step', 'seconds', 'calls', 'a second', 'p50 ms', 'p95', 'most', '']
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => (i === 7 ? 0 : row[i]!.length))))
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, i) => (i === 0 || i === 7 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
