/**
 * Waiting for a seat in exchange for another: when the new one is had, the old one is given up in the same moment. What
 * may be given up is what the student could give back at that time by a request of the same window.
 */
import type { MainFlag, StageCode } from '#areas/common/academics/status.rules.ts'

/** Why an exchange is over although no seat was had. */
export const endReasons = ['gone', 'graded', 'control', 'block', 'group', 'refused'] as const
export type EndReason = (typeof endReasons)[number]

/** A registration that is offered in exchange. */
export type GivenUp = {
  main: MainFlag
  control_status: string
  /** Marks stand against it. */
  graded: boolean
  by_block: boolean
  /** The wanted seat is of the same course: the registration stays, and moves there. */
  same_course: boolean
  /** A request in exchange for it waits for its answer already. */
  under_way?: boolean
}

/** The windows in which it can be given up: those of its own request; what is registered leaves while dropping is open. */
const waysOut = ({ main, same_course }: Pick<GivenUp, 'main' | 'same_course'>): readonly StageCode[] => {
  if (main === 'RegisterRequest') return ['register']
  if (main === 'AddRequest') return ['add_drop']
  return same_course ? ['register', 'add_drop'] : ['add_drop']
}

/** The states that can be exchanged, and those that may come back to one of them. */
const OFFERED: ReadonlySet<MainFlag> = new Set(['RegisterRequest', 'AddRequest', 'Registered'])
const PENDING: ReadonlySet<MainFlag> = new Set(['DropRequest', 'WithdrawRequest', 'ExcuseRequest'])

/**
 * Whether a registration can be given up for a seat now: `ends` when it never can any more, `waits` while a request to
 * leave it is open or its window is closed, null: it can.
 *
 * @param given null: it is not there any more
 */
export function exchangeProblem(
  given: GivenUp | null,
  open: readonly StageCode[],
): { ends: EndReason } | { waits: 'pending' | 'under_way' } | { waits: 'stage'; stage: StageCode } | null {
  if (given === null) return { ends: 'gone' }
  if (!OFFERED.has(given.main) && !PENDING.has(given.main)) return { ends: 'gone' }
  if (given.control_status !== 'Draft') return { ends: 'control' }
  if (given.graded) return { ends: 'graded' }
  if (given.by_block) return { ends: 'block' }
  if (PENDING.has(given.main)) return { waits: 'pending' }
  if (given.under_way) return { waits: 'under_way' }
  const ways = waysOut(given)
  return ways.some((code) => open.includes(code)) ? null : { waits: 'stage', stage: ways.at(-1)! }
}

/** What becomes of what is given up: a request is taken back, what was registered is dropped; of the same course it stays. */
export const afterExchange = ({
  main,
  same_course,
}: Pick<GivenUp, 'main' | 'same_course'>): 'stays' | 'removed' | 'Dropped' =>
  same_course ? 'stays' : main === 'Registered' ? 'Dropped' : 'removed'

/**
 * Whether what is offered is given up only later: a registered course stays until the request that was made in exchange
 * for it is accepted. `gets`: the state in which the new one is had.
 */
export const staysUntilAnswered = (
  { main, same_course }: Pick<GivenUp, 'main' | 'same_course'>,
  gets: MainFlag | null,
): boolean => main === 'Registered' && !same_course && gets !== 'Registered'

/**
 * What accepting a request means for the course it was made in exchange for: `gives_up`, `alone` where that one has left
 * by another way, or why it cannot be accepted now. Its window is not asked: it was offered while that was open.
 */
export function givenOnAnswer(
  given: Pick<GivenUp, 'main' | 'control_status' | 'graded' | 'by_block'> | null,
): 'gives_up' | 'alone' | { refused: 'swap_control' | 'swap_graded' | 'swap_block' | 'swap_leaving' } {
  if (given === null || (given.main !== 'Registered' && !PENDING.has(given.main))) return 'alone'
  if (given.control_status !== 'Draft') return { refused: 'swap_control' }
  if (given.graded) return { refused: 'swap_graded' }
  if (given.by_block) return { refused: 'swap_block' }
  // To drop it was asked for as well; other ways out have consequences of their own.
  return given.main === 'Registered' || given.main === 'DropRequest' ? 'gives_up' : { refused: 'swap_leaving' }
}

/** A registration that may be one of two that are exchanged. */
type Weighing = { id?: number; gives_up_id?: number | null; credit_hours: number }

/** Registrations as they weigh on the load: of two that are exchanged only one will stand, and the heavier counts. */
export function weighing<R extends Weighing>(registrations: readonly R[]): R[] {
  const byId = new Map(
    registrations.flatMap((registration) =>
      registration.id === undefined ? [] : [[registration.id, registration] as const],
    ),
  )
  const lighter = new Set<R>()
  for (const one of registrations) {
    const given = one.gives_up_id == null ? undefined : byId.get(one.gives_up_id)
    if (given && given !== one) lighter.add(given.credit_hours > one.credit_hours ? one : given)
  }
  return registrations.filter((registration) => !lighter.has(registration))
}
/** A place in a queue that gives a seat up, with the meetings it wants and those it would free. */
export type RingPlace = { id: number; wants: readonly number[]; frees: readonly number[] }

/** Whether the seats that one gives up are all that another still lacks. */
export const suffices = (giver: RingPlace, wants: readonly number[], hasRoom: (slot: number) => boolean): boolean => {
  const lacks = wants.filter((slot) => !hasRoom(slot))
  return lacks.length > 0 && lacks.every((slot) => giver.frees.includes(slot))
}

/**
 * The most of these places, in the order of the queues, among whom every seat that one lacks is given up by another: also
 * where one needs seats of several. Each seat goes to the first who lacks it. Places of `only` take and give nothing: who stands
 * there is not passed over.
 */
export function closedSet<P extends RingPlace>(
  places: readonly P[],
  hasRoom: (slot: number) => boolean,
  only: ReadonlySet<number> = new Set(),
): P[] {
  for (let among = places; ;) {
    const given = new Map<number, number>()
    for (const { id, frees } of among)
      if (!only.has(id)) for (const slot of frees) given.set(slot, (given.get(slot) ?? 0) + 1)
    const kept = among.filter(({ wants }) => {
      const lacks = wants.filter((slot) => !hasRoom(slot))
      if (!lacks.length || !lacks.every((slot) => (given.get(slot) ?? 0) > 0)) return false
      for (const slot of lacks) given.set(slot, given.get(slot)! - 1)
      return true
    })
    if (kept.length === among.length) return kept.filter(({ id }) => !only.has(id))
    among = kept
  }
}

/** Parts of a closed set that share no seat: each can be exchanged by itself. */
export function exchangePartsOf<P extends RingPlace>(set: readonly P[]): P[][] {
  const parts: P[][] = []
  for (const one of set) {
    const touches = (part: readonly P[]) =>
      part.some(({ wants, frees }) =>
        [...wants, ...frees].some((slot) => one.wants.includes(slot) || one.frees.includes(slot)),
      )
    const near = parts.filter(touches)
    for (const part of near) parts.splice(parts.indexOf(part), 1)
    parts.push([...near.flat(), one])
  }
  return parts
}

/**
 * Follows who would get the seats of whom until somebody comes up twice: a ring, in which each gives to the next. `next`
 * is the first in the queue who could take what a place gives up; null where that one gives nothing up, or nobody is.
 */
export async function ringFrom<P extends RingPlace>(
  start: P,
  next: (giver: P) => Promise<P | null>,
  most: number,
): Promise<P[] | null> {
  const path: P[] = []
  for (let at: P | null = start; at !== null && path.length < most; at = await next(at)) {
    const again = path.findIndex((one) => one.id === at.id)
    if (again >= 0) return path.slice(again)
    path.push(at)
  }
  return null
}
