import { useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useChange } from '../../api/hooks.ts'
import { ApiError } from '../../api/error.ts'
import { calls } from '../../auth/calls.ts'
import type { CurrentUser, FirstStep, Linked, NextStep, UserType } from '../../auth/calls.ts'
import { sessionOpened, takeTarget } from '../../auth/session.ts'
import { loadTexts } from '../../i18n/catalogue.ts'
import { createStoredStore } from '../../store.ts'
import { homePath } from '../../router/home.ts'
import { isOwnAddress } from '../../router/paths.ts'
import { factorCalls } from '../../second-factor/calls.ts'
import { byPasskey } from '../../second-factor/passkey.ts'
import { useFocusOn } from './public.tsx'

/** The entries, most people first; the last used is remembered here. `?as=instructor` opens one directly. */
export const ENTRIES = [
  [3, 'student', 'as_student'],
  [1, 'instructor', 'as_instructor'],
  [2, 'employee', 'as_employee'],
  [4, 'applicant', 'as_applicant'],
] as const
const entryStore = createStoredStore<UserType>('ems.entry', 3, (kept) =>
  ENTRIES.some(([type]) => type === kept) ? (kept as UserType) : 3,
)

/** What the provider sends the browser back with, beside the state. */
const RETURNED = ['code', 'session_state', 'iss', 'error', 'error_description'] as const

/** State of the sign-in page: the input, refusals, the ways besides a password, and the way back from them. */
export function useSignIn() {
  const { send } = useChange()
  const navigate = useNavigate()
  const [query, setQuery] = useSearchParams()
  const remembered = entryStore.use()
  const type = ENTRIES.find(([, name]) => name === query.get('as'))?.[0] ?? remembered
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  useFocusOn(email)
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)

  const [next, setNext] = useState<NextStep | null>(null)
  const arrive = async (user: CurrentUser) => {
    // Whoever has the right password is not sent from entry to entry: the right one is remembered for the next time.
    entryStore.set(user.type)
    // What waits before everything else is asked once, here: who cannot be told goes on.
    const [first] = await Promise.all([
      send(calls.first).then(
        ({ data }) => data.address,
        () => null,
      ),
      sessionOpened(),
    ])
    const target = takeTarget()
    const goal = isOwnAddress(target) ? target : homePath()
    void navigate(isOwnAddress(first) ? `${first}?then=${encodeURIComponent(goal)}` : goal, { replace: true })
  }
  const open = async (sent: Promise<FirstStep | Linked>) => {
    setBusy(true)
    setError(null)
    try {
      const { data } = await sent
      if ('linked' in data) return void navigate('/profile/sign-in', { replace: true })
      if (!('second_factor' in data)) return await arrive(data.user)
      setBusy(false)
      setNext(data.second_factor)
    } catch (problem) {
      setBusy(false)
      // What may be refused besides a wrong password is told in texts of its own.
      await loadTexts('sign-in').catch(() => undefined)
      // The documents: under maintenance has a page of its own; everything else is told here.
      if (problem instanceof ApiError && problem.status === 503)
        return void navigate('/pages/miscellaneous/under-maintenance')
      setError(problem)
      if (problem instanceof ApiError && problem.status < 500) password.current?.select()
    }
  }
  const submit = (typed: Readonly<Record<string, string>>) =>
    void open(send(calls.login, { body: { email: typed.email!.trim(), password: typed.password! } }))
  const withProvider = async (by?: 'saml') => {
    setBusy(true)
    setError(null)
    try {
      const { data } = await send(calls.providerAddress, { query: { by } })
      window.location.assign(data.url)
    } catch (problem) {
      await loadTexts('sign-in').catch(() => undefined)
      setBusy(false)
      setError(problem)
    }
  }

  // The way back from the provider, and one-time tokens, arrive in the address; it is cleaned before anything is copied.
  const begun = useRef(false)
  useEffect(() => {
    const [state, token] = [query.get('state'), query.get('token')]
    const given = Object.fromEntries(RETURNED.flatMap((name) => (query.has(name) ? [[name, query.get(name)!]] : [])))
    if (begun.current || (!token && !(state && (given.code || given.error)))) return
    begun.current = true
    setQuery({}, { replace: true })
    void open(
      token
        ? send(calls.loginWithToken, { body: { token } })
        : send(calls.providerReturn, { body: { ...given, state: state! } }),
    )
  })
  return {
    query,
    type,
    chooseEntry: (value: string) => {
      entryStore.set(Number(value) as UserType)
      if (query.has('as')) setQuery({}, { replace: true })
      setError(null)
    },
    email,
    password,
    error,
    busy,
    submit,
    withPasskey: () =>
      open(
        byPasskey(
          () => send(factorCalls.askSignIn),
          (answer) => send(factorCalls.signInByPasskey, { body: { answer } }),
        ),
      ),
    withProvider,
    next,
    arrive,
    back: () => setNext(null),
  }
}
export type SigningIn = ReturnType<typeof useSignIn>
