/** What a reader has chosen and not asked for yet, and what it means for the week and the load. */
import { sumDecimals } from '#areas/study/catalogue/decimal.rules.ts'
import type { TimetableEvent } from '#kit/web/timetable/layout.ts'
import { meetingsClash } from '../registration.rules.ts'
import type { RequestedMeeting } from '../registration-input.rules.ts'
import { alternativesByGroup, type ChoosableSlot } from '../requests/choice.rules.ts'
import type { AvailableOffering, Requested, RequestedRow, SlotRow } from '../requests/request.contract.ts'
import { countsInLoad } from '#areas/common/academics/status.rules.ts'

/** Slots chosen by offering. */
export type ChosenSlots = Readonly<Record<number, readonly number[]>>

const minutes = (time: string | null): number =>
  time === null ? 0 : Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

export const chosenMeetingsOf = (slots: readonly SlotRow[]): RequestedMeeting[] =>
  slots.flatMap(({ day, from, to }) =>
    day === null || !from || !to ? [] : [{ day, from: minutes(from), to: minutes(to) }],
  )

/** A slot as the rules of choosing know it. `over`: places above the quota count as free. */
export const choosable = (slot: SlotRow, over = false): ChoosableSlot => ({
  ...slot,
  meetings: chosenMeetingsOf([slot]),
  free: slot.free + (over ? (slot.over_free ?? 0) : 0),
})

/**
 * Whatever stands in the week besides an offering: registrations and other choices, by course code. `instead_of`: the
 * offering with which it is exchanged; of the two only one will stand.
 */
export type CourseInWeek = {
  code: string
  offering_id: number
  meetings: RequestedMeeting[]
  instead_of?: number | undefined
}

export function busyWeek(
  requested: Requested | undefined,
  offerings: readonly AvailableOffering[],
  choices: ChosenSlots,
): CourseInWeek[] {
  return [
    ...(requested?.registrations ?? [])
      .filter((row) => countsInLoad(row.state))
      .map((row) => ({
        code: row.course.code ?? '',
        offering_id: row.offering_id,
        meetings: chosenMeetingsOf(row.slots),
        instead_of: (row.gives_up ?? row.given_for)?.offering_id,
      })),
    ...offerings.flatMap((offering) => {
      const chosen = choices[offering.id]
      return chosen
        ? [
            {
              code: offering.course.code ?? '',
              offering_id: offering.id,
              meetings: chosenMeetingsOf(offering.slots.filter((slot) => chosen.includes(slot.id))),
            },
          ]
        : []
    }),
  ]
}

/** Courses whose meetings share a minute with these, those of the offering itself apart. */
export const clashesWith = (slots: readonly SlotRow[], busy: readonly CourseInWeek[], offeringId: number): string[] => {
  const own = chosenMeetingsOf(slots)
  return [
    ...new Set(
      busy.flatMap((one) =>
        one.offering_id !== offeringId &&
        one.instead_of !== offeringId &&
        one.meetings.some((other) => own.some((mine) => meetingsClash(mine, other)))
          ? [one.code]
          : [],
      ),
    ),
  ]
}

/**
 * The same choice with another way to attend one type: other types of the group keep theirs, or take the first that is free
 * and fits the week (`fits`).
 */
export function chooseWay(
  offering: Pick<AvailableOffering, 'slots'>,
  current: readonly number[],
  way: readonly SlotRow[],
  over: boolean,
  fits: (slots: readonly SlotRow[]) => boolean,
): number[] {
  const group = way[0]?.group_id
  const ways = alternativesByGroup(offering.slots).get(group ?? 0) ?? []
  const types = Map.groupBy(ways, (one) => one.type)
  const out: number[] = []
  for (const [type, of] of types) {
    if (type === way[0]?.type) {
      out.push(...way.map((slot) => slot.id))
      continue
    }
    const kept = of.find((one) => one.slots.every((slot) => current.includes(slot.id)))
    const isFree = (one: (typeof of)[number]) => one.slots.every((slot) => choosable(slot, over).free > 0)
    const free =
      of.find((one) => isFree(one) && fits(one.slots)) ?? of.find((one) => fits(one.slots)) ?? of.find(isFree)
    out.push(...((kept ?? free ?? of[0])?.slots.map((slot) => slot.id) ?? []))
  }
  return out
}

/** Whether every chosen slot has a free seat. */
export const hasSeats = (
  offering: Pick<AvailableOffering, 'slots'>,
  chosen: readonly number[],
  over: boolean,
): boolean => offering.slots.every((slot) => !chosen.includes(slot.id) || choosable(slot, over).free > 0)

/** Credit hours and courses of the choices. */
export const loadOfChoices = (
  offerings: readonly AvailableOffering[],
  choices: ChosenSlots,
): { hours: number; courses: number } => {
  const chosen = offerings.filter((offering) => choices[offering.id])
  return { hours: sumDecimals(chosen.map((one) => one.course.credit_hours)), courses: chosen.length }
}

type Words = { place: (slot: SlotRow) => string | null; choice: string; clash: (codes: string) => string }

/** The week: what is registered, asked for and chosen; choices say that they are only that, and what they clash with. */
export function weekEvents(
  requested: Requested | undefined,
  offerings: readonly AvailableOffering[],
  choices: ChosenSlots,
  words: Words,
): TimetableEvent[] {
  const busy = busyWeek(requested, offerings, choices)
  const events = (
    key: string,
    offeringId: number,
    code: string,
    slots: readonly SlotRow[],
    note: string | null,
  ): TimetableEvent[] =>
    slots.flatMap((slot) => {
      if (slot.day === null || !slot.from || !slot.to) return []
      const clashes = clashesWith([slot], busy, offeringId)
      const lines = [words.place(slot), note, clashes.length ? words.clash(clashes.join(', ')) : null].filter(
        (line) => line !== null,
      )
      return [
        { id: `${key}-${slot.id}`, day: slot.day, from: slot.from, to: slot.to, type: slot.type, title: code, lines },
      ]
    })
  return [
    ...(requested?.registrations ?? [])
      .filter((row: RequestedRow) => countsInLoad(row.state))
      .flatMap((row) => events(`r${row.id}`, row.offering_id, row.course.code ?? row.course.name, row.slots, null)),
    ...offerings.flatMap((offering) => {
      const chosen = choices[offering.id]
      return chosen
        ? events(
            `c${offering.id}`,
            offering.id,
            offering.course.code ?? offering.course.name,
            offering.slots.filter((slot) => chosen.includes(slot.id)),
            words.choice,
          )
        : []
    }),
  ]
}
