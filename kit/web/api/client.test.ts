import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { call } from '#kit/contract/call.ts'
import { addressOf, fileNameIn, secondsToWait, send } from './client.ts'
import { ApiError } from './error.ts'

describe('calls from the browser', () => {
  it('fills the path and the query', () => {
    expect(addressOf({ path: '/students/{id}/transcript/{lang}' }, { id: 7, lang: 'ar' })).toBe(
      '/api/students/7/transcript/ar',
    )
    expect(addressOf({ path: '/x' }, {}, { a: 1, b: [2, 3], c: undefined, d: null })).toBe('/api/x?a=1&b=2&b=3')
  })
  it('takes the name of a file from the server, Arabic included', () => {
    expect(
      fileNameIn(`attachment; filename="faculties.xlsx"; filename*=UTF-8''${encodeURIComponent('الكليات.xlsx')}`),
    ).toBe('الكليات.xlsx')
    expect(fileNameIn('attachment; filename="faculties.xlsx"')).toBe('faculties.xlsx')
    expect(fileNameIn("attachment; filename*=UTF-8''%E0%A4%A")).toBeNull()
    expect(fileNameIn(null)).toBeNull()
  })
  it('a refusal keeps its reasons', () => {
    const reason = { field: 'slots.0.quota', code: 'required', en: 'a', ar: 'b' }
    const error = new ApiError(422, { message: 'invalid_input', error: { en: 'A', ar: 'B' }, errors: [reason] })
    expect(error).toMatchObject({ status: 422, code: 'invalid_input', error: { en: 'A', ar: 'B' }, errors: [reason] })
    expect(new ApiError(502, {})).toMatchObject({ code: 'unexpected', error: null, errors: [] })
  })
})

describe('a server that is busy with others of the same person', () => {
  const spec = { permission: 'signed_in', summary: ['Summary', 'ملخص'] } as const
  const read = call('GET', '/read', spec)
  const write = call('POST', '/write', spec)
  let sent: number
  const answerWith = (...answers: { status: number; wait?: string }[]) =>
    vi.stubGlobal('fetch', async () => {
      const { status, wait } = answers[Math.min(sent++, answers.length - 1)]!
      return new Response(JSON.stringify({ message: 'calls_waiting' }), {
        status,
        headers: wait === undefined ? {} : { 'retry-after': wait },
      })
    })
  beforeEach(() => {
    sent = 0
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    vi.stubGlobal('window', { location: { href: 'https://university.example/' } })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('what reads waits as long as it is told, and is sent again', async () => {
    answerWith({ status: 429, wait: '2' }, { status: 429, wait: '2' }, { status: 200 })
    const answer = send(read)
    await vi.advanceTimersByTimeAsync(1_900)
    expect(sent).toBe(1)
    await vi.advanceTimersByTimeAsync(2_200)
    expect(sent).toBe(2)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(await answer).toEqual({ message: 'calls_waiting' })
    expect(sent).toBe(3)
  })
  it('what changes something is told at once', async () => {
    answerWith({ status: 429, wait: '2' })
    await expect(send(write)).rejects.toMatchObject({ status: 429, code: 'calls_waiting' })
    expect(sent).toBe(1)
  })
  it('nobody waits without end, nor without being told for long', async () => {
    answerWith({ status: 429, wait: '1' })
    const refused = send(read).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await refused).toMatchObject({ status: 429 })
    expect(sent).toBe(5)
    expect(['0', '10', '11', 'soon', null].map(secondsToWait)).toEqual([0, 10, null, null, null])
  })
  it('who leaves the screen waits no more', async () => {
    answerWith({ status: 429, wait: '5' })
    const leaving = new AbortController()
    const refused = send(read, { signal: leaving.signal }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(100)
    leaving.abort()
    expect(await refused).toMatchObject({ name: 'AbortError' })
    expect(sent).toBe(1)
  })
})
