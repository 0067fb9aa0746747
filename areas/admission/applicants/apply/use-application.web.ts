import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Problem } from '#kit/contract/index.ts'
import { ApiError, keyOf, useCall, useChange } from '#kit/web/api/index.ts'
import { applyCalls as calls, type Application } from './apply.contract.ts'

/** How the last thing that was typed stands. */
export type SavedState = 'idle' | 'saving' | 'saved' | 'offline'
type Values = Readonly<Record<string, unknown>>

/** Milliseconds after which something is sent again that could not be. */
const AGAIN_MS = 4000
/** How often it is waited for what was typed: what one answer refuses is sent again without it. */
const ROUNDS = 5

/** An application in the browser: what is typed is sent field by field, one after the other, and again where the line broke. */
export function useApplication(id: number, key: string) {
  const { data, error, refetch } = useCall(calls.read, { params: { id, key } }, { refetchOnWindowFocus: false })
  // The answer of a save is the application: nothing is asked for anew.
  const { send } = useChange()
  const [application, setApplication] = useState<Application | null>(null)
  const [saving, setSaving] = useState<SavedState>('idle')
  const [refused, setRefused] = useState<readonly Problem[]>([])
  const waiting = useRef(new Map<string, { value: unknown; was: unknown }>())
  const wrongValues = useRef(new Map<string, unknown>())
  const busy = useRef(false)
  const under = useRef<Promise<void>>(Promise.resolve())
  /** What is sent beside the fields. */
  const beside = useRef<Promise<unknown>>(Promise.resolve())
  // As it stands now, for who waits for what was typed to be saved.
  const latest = useRef<Application | null>(null)
  const wrongNow = useRef<readonly Problem[]>([])
  const again = useRef(() => {})
  // What the server has: what somebody typed and it refused is shown, and is not what was there before.
  const stored = useRef<Values>({})
  const client = useQueryClient()
  const show = useCallback((next: Application) => {
    stored.current = next.values
    // What is typed meanwhile stays on the screen, and so does what was refused.
    const typed = Object.fromEntries([...waiting.current].map(([name, one]) => [name, one.value]))
    latest.current = next
    setApplication({ ...next, values: { ...next.values, ...Object.fromEntries(wrongValues.current), ...typed } })
  }, [])
  const take = useCallback(
    (next: Application) => {
      // Whoever comes to the next page reads what was saved on this one.
      client.setQueryData(keyOf(calls.read, { params: { id, key } }), { data: next })
      show(next)
    },
    [client, id, key, show],
  )
  useEffect(() => {
    if (data) show(data.data)
  }, [data, show])

  const refuse = useCallback((next: (had: readonly Problem[]) => readonly Problem[]) => {
    wrongNow.current = next(wrongNow.current)
    setRefused(wrongNow.current)
  }, [])
  const save = useCallback(async (): Promise<void> => {
    busy.current = true
    setSaving('saving')
    const batch = new Map(waiting.current)
    waiting.current.clear()
    const names = [...batch.keys()]
    for (const name of names) wrongValues.current.delete(name)
    try {
      const { data: next } = await send(calls.save, {
        params: { id, key },
        body: {
          values: Object.fromEntries([...batch].map(([name, one]) => [name, one.value])),
          was: Object.fromEntries([...batch].map(([name, one]) => [name, one.was])),
        },
      })
      take(next)
      refuse((had) => had.filter((one) => !names.some((name) => one.field?.split('.')[0] === name)))
      setSaving('saved')
    } catch (problem) {
      if (problem instanceof ApiError && problem.status > 0 && problem.status < 500) {
        // What is wrong with one field does not hold up the others.
        const wrong = new Set(problem.errors.map((one) => one.field?.split('.')[0]))
        for (const [name, one] of batch) if (wrong.has(name)) wrongValues.current.set(name, one.value)
        refuse((had) => [...had.filter((one) => !wrong.has(one.field?.split('.')[0])), ...problem.errors])
        if (names.length > 1 && [...wrong].some((name) => name && batch.has(name)))
          for (const [name, one] of batch)
            if (!wrong.has(name) && !waiting.current.has(name)) waiting.current.set(name, one)
        if (problem.status === 409) {
          wrongValues.current.clear()
          void refetch()
        }
        setSaving('idle')
      } else {
        for (const [name, one] of batch) if (!waiting.current.has(name)) waiting.current.set(name, one)
        setSaving('offline')
        setTimeout(() => again.current(), AGAIN_MS)
      }
    } finally {
      busy.current = false
    }
    if (waiting.current.size > 0 && navigator.onLine) again.current()
  }, [id, key, refetch, refuse, send, take])
  const flush = useCallback(async (): Promise<void> => {
    if (busy.current || waiting.current.size === 0) return
    under.current = save()
    await under.current
  }, [save])
  /** Waits until what was typed is saved or refused. null: there is no line. */
  const settle = useCallback(async () => {
    await beside.current
    for (let round = 0; round < ROUNDS && (busy.current || waiting.current.size > 0); round++) {
      if (!busy.current && !navigator.onLine) return null
      await (busy.current ? under.current : flush())
    }
    return waiting.current.size > 0 || !latest.current
      ? null
      : { application: latest.current, refused: wrongNow.current }
  }, [flush])
  const hold = useCallback((sent: Promise<unknown>) => {
    beside.current = Promise.allSettled([beside.current, sent])
  }, [])
  useEffect(() => {
    again.current = () => void flush()
  }, [flush])

  const put = useCallback(
    (values: Values, now = true) => {
      for (const [name, value] of Object.entries(values)) {
        waiting.current.set(name, { value, was: waiting.current.get(name)?.was ?? stored.current[name] ?? null })
      }
      setApplication((had) => had && { ...had, values: { ...had.values, ...values } })
      if (now) void flush()
    },
    [flush],
  )
  // Nobody leaves while something is unsaved without being asked.
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (waiting.current.size > 0 || busy.current) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  return {
    application,
    error,
    refused,
    saving,
    put,
    flush,
    settle,
    hold,
    setApplication: take,
    reload: () => void refetch(),
  }
}
export type ApplicationInHand = ReturnType<typeof useApplication>
