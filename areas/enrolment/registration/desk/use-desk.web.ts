import { useMemo, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { refresh, useCall, useChange } from '#kit/web/api/index.ts'
import { useEvent } from '#kit/web/auth/index.ts'
import { notify, useShortcut } from '#kit/web/feedback/index.ts'
import { nameOf, useT } from '#kit/web/i18n/index.ts'
import { useSearchParams } from '#kit/web/router/index.ts'
import type { Override } from '../registration.rules.ts'
import {
  changeCalls,
  requestCalls,
  type Available,
  type AvailableOffering,
  type Requested,
} from '../requests/request.contract.ts'
import { busyWeek, hasSeats, loadOfChoices, type ChosenSlots } from './choice.web.ts'

/** Seats move while people choose: asked again as long as the screen is looked at. */
const SEATS_EVERY = 15_000

/** The way in that the windows give; staff who enrol need none. */
function wayOf(
  may: (ability: string) => boolean,
  isOpen: (code: string) => boolean,
): 'request' | 'add' | 'enroll' | null {
  if (may('request') && isOpen('register')) return 'request'
  if (may('add') && isOpen('add_drop')) return 'add'
  if (may('enroll')) return 'enroll'
  return may('request') ? 'request' : null
}

/** Asked by the student, or by somebody about the student: what is registered, and what can be had. */
function useRegistration(studentId: number | null, inTerm: { term_id?: number }) {
  const own = studentId === null
  const live = { refetchInterval: SEATS_EVERY }
  const mine = { query: inTerm }
  const theirs = { params: { id: studentId ?? 0 }, query: inTerm }
  const ownRequested = useCall(requestCalls.requested, mine, { enabled: own, ...live })
  const itsRequested = useCall(requestCalls.requestedOf, theirs, { enabled: !own, ...live })
  const ownAvailable = useCall(requestCalls.available, mine, { enabled: own, ...live })
  const itsAvailable = useCall(requestCalls.availableTo, theirs, { enabled: !own, ...live })
  return {
    requestedQuery: own ? ownRequested : itsRequested,
    availableQuery: own ? ownAvailable : itsAvailable,
  }
}

/** Brings the focus back to the card whose button was pressed, once that button is gone. */
function cardInFocus(): () => void {
  const card = document.activeElement?.closest('article[id^="offering-"]')
  return () => setTimeout(() => card?.querySelector<HTMLElement>('[aria-expanded]')?.focus({ preventScroll: true }), 50)
}

/** What is known, chosen and done at the desk of a student in a term. */
export function useDesk(studentId: number | null) {
  const t = useT('registration')
  const client = useQueryClient()
  const [query] = useSearchParams()
  const own = studentId === null
  const termId = /^[1-9]\d{0,8}$/.test(query.get('term') ?? '') ? Number(query.get('term')) : undefined
  const inTerm = termId === undefined ? {} : { term_id: termId }
  const { requestedQuery, availableQuery } = useRegistration(studentId, inTerm)
  const requested: Requested | undefined = requestedQuery.data?.data
  const available: Available | undefined = availableQuery.data?.data

  const { send } = useChange()
  const [choices, setChoices] = useState<ChosenSlots>({})
  const [refusal, setRefusal] = useState<unknown>(null)
  const [busyAsking, setAsking] = useState(false)
  const [overQuota, setOverQuota] = useState(false)
  const offerings = useMemo(() => available?.offerings ?? [], [available])

  const may = (ability: string) => requested?.abilities.includes(ability) ?? false
  const windowOpen = (code: string) => requested?.stages.some((stage) => stage.code === code && stage.open) ?? false
  const way = wayOf(may, windowOpen)

  const choose = (offering: AvailableOffering, slots: readonly number[] | null) => {
    setRefusal(null)
    setChoices(({ [offering.id]: _old, ...rest }) => (slots === null ? rest : { ...rest, [offering.id]: slots }))
  }
  const asked = offerings.filter((one) => choices[one.id])
  const added = loadOfChoices(offerings, choices)
  // What has no seat is not asked for in vain: its way is the wait list.
  const full = asked.filter((one) => one.wait_position === null && !hasSeats(one, choices[one.id]!, overQuota))
  const free = asked.filter((one) => !full.includes(one))
  // The record of the student shows the same courses.
  const refreshAll = () => refresh(client, '/registrations', '/advisors', '/students')
  // Paid, or held: the open page says so at once.
  useEvent('holds', () => void refreshAll())

  const ask = async (overrides: Override[] = []) => {
    if (!free.length || busyAsking || way === null) return
    const toCard = cardInFocus()
    setAsking(true)
    const body = {
      ...(own ? {} : { student_id: studentId }),
      offerings: free.map((one) => ({
        offering_id: one.id,
        offering_slot_ids: [...choices[one.id]!],
        improve: one.refusals.some((reason) => reason.code === 'already_passed'),
      })),
      overrides,
      over_quota: overQuota,
    }
    try {
      if (way === 'add') await send(requestCalls.addDrop, { body: { ...body, action: 'add' as const } })
      else await send(requestCalls.request, { body: { ...body, enroll: way === 'enroll' } })
      setChoices(Object.fromEntries(full.map((one) => [one.id, choices[one.id]!])))
      setRefusal(null)
      const [only] = free
      notify.done(
        free.length === 1
          ? t(way === 'enroll' ? 'enrolled_course' : 'requested_course', { course: nameOf(only!.course) })
          : t(way === 'enroll' ? 'enrolled_done' : 'requested_done', { count: free.length }),
      )
      toCard()
    } catch (error) {
      refused(error)
    } finally {
      setAsking(false)
      void refreshAll()
    }
  }
  const refused = (error: unknown) => {
    setRefusal(error)
    const choice = document.getElementById('registration-choice')
    choice?.scrollIntoView({ block: 'nearest' })
    // The button that was pressed could not keep the focus while it waited.
    choice?.focus({ preventScroll: true })
  }
  /** Waits for a seat in each of the groups chosen that are full. */
  const join = async () => {
    if (busyAsking) return
    const toCard = cardInFocus()
    setAsking(true)
    try {
      for (const one of full) {
        const body = {
          ...(own ? {} : { student_id: studentId }),
          offering_id: one.id,
          offering_slot_ids: [...choices[one.id]!],
          improve: one.refusals.some((reason) => reason.code === 'already_passed'),
        }
        // One after the other: each takes its place in a list of its own, and a refusal stops the rest.
        // oxlint-disable-next-line no-await-in-loop
        const { data } = await send(requestCalls.join, { body })
        setChoices(({ [one.id]: _joined, ...rest }) => rest)
        notify.done(t('joined', { position: data.position, course: nameOf(one.course) }))
      }
      setRefusal(null)
      toCard()
    } catch (error) {
      refused(error)
    } finally {
      setAsking(false)
      void refreshAll()
    }
  }
  /** Opens the card of an offering that was asked for, where another group can be chosen. */
  const showGroups = (place: number) => {
    const offering = free[place]
    const head = offering && document.querySelector<HTMLElement>(`#offering-${offering.id} [aria-expanded]`)
    if (!head) return
    if (head.getAttribute('aria-expanded') === 'false') head.click()
    head.scrollIntoView({ block: 'center' })
    head.focus({ preventScroll: true })
  }
  const acceptAll = async () => {
    if (studentId === null) return
    try {
      const { done, failed } = await send(changeCalls.acceptAll, { body: { student_id: studentId, ...inTerm } })
      if (done.length) notify.done(t('accepted_done', { count: done.length }))
      notify.failed(failed)
    } catch (error) {
      notify.error(error)
    }
    void refreshAll()
  }
  const waitingForMe = requested?.registrations.filter((row) => row.abilities.includes('accept')) ?? []
  useShortcut('a', () => void acceptAll(), !own && waitingForMe.length ? t('accept_all') : null)
  useShortcut(
    'mod+enter',
    () => void (free.length ? ask() : join()),
    free.length ? t('send_request') : full.length ? t('join_queue') : null,
  )
  return {
    own,
    studentId,
    inTerm,
    requestedQuery,
    requested,
    availableQuery,
    available,
    offerings,
    may,
    way,
    choices,
    choose,
    clear: () => setChoices({}),
    asked,
    full,
    free,
    added,
    busy: busyWeek(requested, offerings, choices),
    refusal,
    asking: busyAsking,
    ask,
    join,
    showGroups,
    overQuota,
    setOverQuota,
    waitingForMe,
    acceptAll,
    refreshAll,
  }
}
export type DeskState = ReturnType<typeof useDesk>
