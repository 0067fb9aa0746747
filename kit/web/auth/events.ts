import { useEffect, useRef } from 'react'
import { language } from '../i18n/language.ts'
import { loadUniversity } from '../theme/university.ts'
import { loadMe } from './me.ts'

type Listener = (data: unknown) => void
const listeners = new Map<string, Set<Listener>>()

/** Hears live events of a kind, e.g. `job`, `notification`, `seats`. Returns the way to stop. */
export function onEvent(type: string, listener: Listener): () => void {
  const set = listeners.get(type) ?? new Set()
  listeners.set(type, set.add(listener))
  return () => set.delete(listener)
}
/** Receives live events of a kind while the component is shown. `connected` follows every gap: fetch again then. */
export function useEvent(type: string, listener: (data: unknown) => void): void {
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => onEvent(type, (data) => latest.current(data)), [type])
}

/** Server-sent events as they come through fetch: `event:` and `data:` lines, an empty line ends one. */
export function parseEvents(text: string): { events: { type: string; data: unknown }[]; rest: string } {
  const blocks = text.split('\n\n')
  const rest = blocks.pop() ?? ''
  const events = blocks.flatMap((block) => {
    const lines = block.split('\n')
    const type = lines
      .find((l) => l.startsWith('event:'))
      ?.slice(6)
      .trim()
    const data = lines
      .filter((l) => l.startsWith('data:'))
      .map((l) => l.slice(5).trim())
      .join('\n')
    if (!type) return []
    try {
      return [{ type, data: data ? (JSON.parse(data) as unknown) : null }]
    } catch {
      return []
    }
  })
  return { events, rest }
}

const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })

/** Keeps the stream of live events open and opens it again, ever more slowly, when it breaks. Returns the way to stop. */
export function listenForEvents(): () => void {
  const stop = new AbortController()
  void (async () => {
    let failures = 0
    while (!stop.signal.aborted) {
      try {
        const response = await fetch('/api/events', {
          headers: { accept: 'text/event-stream', 'accept-language': language() },
          credentials: 'same-origin',
          signal: stop.signal,
        })
        // Signed out, or refused: asking again changes nothing until somebody signs in.
        if (response.status === 401 || response.status === 403) return
        if (!response.ok || !response.body) throw new Error(String(response.status))
        failures = 0
        let text = ''
        for await (const piece of response.body.pipeThrough(
          new TextDecoderStream(),
        ) as unknown as AsyncIterable<string>) {
          const { events, rest } = parseEvents(text + piece)
          text = rest
          for (const { type, data } of events) {
            if (type === 'university') void loadUniversity()
            if (type === 'rights' || type === 'university') loadMe().catch(() => undefined)
            for (const listener of listeners.get(type) ?? []) listener(data)
          }
        }
      } catch {
        failures += 1
      }
      // A little chance, so that a restarted server does not meet everybody at once.
      await wait(Math.min(60_000, 2_000 * 2 ** failures) * (0.7 + Math.random() * 0.6), stop.signal)
    }
  })()
  return () => stop.abort()
}
