/** What a plan of rotations is made from, and the plan itself, as files hold them. */
import { z } from 'zod'

const name = z.string().min(1)
const whole = z.int().min(0)

/**
 * An internship year. Periods are counted from 0. `capacity`: places of a department by period. A trainee goes through each
 * obligatory block once and through one block for each elective, each in one piece; `wishes` in order; nothing in a period of
 * `leave`; `fixed` blocks begin where they are fixed; `with`: somebody with whom he or she would like to be; `barred`: departments that
 * are no elective of his or hers. `once`: nobody is twice in one department.
 */
export const rotationInstance = z.object({
  periods: z.int().min(1).max(120),
  departments: z.array(z.object({ id: name, capacity: z.array(whole) })).min(1),
  trainees: z.array(
    z.object({
      id: name,
      obligatory: z.array(z.object({ department: name, length: z.int().min(1) })),
      electives: z.array(z.object({ length: z.int().min(1), wishes: z.array(name) })),
      leave: z.array(whole).default([]),
      fixed: z.array(z.object({ department: name, start: whole })).default([]),
      with: name.nullish(),
      barred: z.array(name).optional(),
    }),
  ),
  once: z.boolean().optional(),
})
export type RotationInstance = z.output<typeof rotationInstance>

/** Where each trainee is: a department, or nowhere, by period. */
export const rotationPlan = z.object({ plan: z.record(name, z.array(name.nullable())) })
export type RotationPlan = z.output<typeof rotationPlan>

/** So many blocks a trainee may have: all their orders are looked at. */
export const MOST_BLOCKS = 16
/** What an elective costs that nobody wished for; a wish costs its place, the first nothing. */
export const NOT_WISHED = 10
/** No department. */
export const NOWHERE = -1
/** Of a year as it was: this period has lost its place, and is another one anyway. */
export const LOST = -2

/** A trainee, with departments by their place. Blocks: the obligatory ones first, then the electives. */
export interface Trainee {
  readonly blocks: number
  readonly obligatory: number
  readonly lengths: readonly number[]
  /** Of obligatory blocks their department, of electives `NOWHERE`. */
  readonly departments: readonly number[]
  /** Of each elective. */
  readonly wishes: readonly (readonly number[])[]
  readonly leave: readonly boolean[]
  /** By period the department of which a block begins there, or `NOWHERE`. */
  readonly fixed: readonly number[]
  /** Departments that are no elective: obligatory ones, and those that are barred. */
  readonly isObligatory: readonly boolean[]
  /** Periods that are neither leave nor in a block. */
  readonly free: number
  /** Places of those with whom he or she is to be: wished for by either. */
  readonly mates: readonly number[]
}
/** An instance with everything by its place: cells are `department * periods + period`. */
export interface RotationModel {
  readonly periods: number
  readonly departments: readonly string[]
  readonly capacity: Int32Array
  readonly trainees: readonly Trainee[]
  readonly names: readonly string[]
  readonly longest: number
  /** Nobody is twice in one department. */
  readonly once: boolean
}

/** An instance that contradicts itself. */
export class RotationError extends Error {
  override name = 'RotationError'
}

/** Reads an instance. @throws RotationError naming everything that cannot be meant */
export function rotationModel(instance: RotationInstance): RotationModel {
  const { periods } = instance
  const wrong: string[] = []
  const placeOf = new Map(instance.departments.map(({ id }, i) => [id, i]))
  if (placeOf.size !== instance.departments.length) wrong.push('two departments have one id')
  const traineeAt = new Map(instance.trainees.map(({ id }, i) => [id, i]))
  if (traineeAt.size !== instance.trainees.length) wrong.push('two trainees have one id')
  const capacity = new Int32Array(instance.departments.length * periods)
  for (const [d, { id, capacity: places }] of instance.departments.entries()) {
    if (places.length !== periods) wrong.push(`${id}: capacity of ${places.length} periods, not ${periods}`)
    places.forEach((count, p) => {
      if (p < periods) capacity[d * periods + p] = count
    })
  }
  const matesOf = new Map<string, Set<number>>()
  for (const [i, { id, with: other }] of instance.trainees.entries()) {
    const j = other == null || other === id ? undefined : traineeAt.get(other)
    if (other == null || j === undefined) continue
    matesOf.set(id, (matesOf.get(id) ?? new Set()).add(j))
    matesOf.set(other, (matesOf.get(other) ?? new Set()).add(i))
  }
  const trainees = instance.trainees.map((one): Trainee => {
    const department = (id: string): number => {
      const place = placeOf.get(id)
      if (place === undefined) wrong.push(`${one.id}: no department ${id}`)
      return place ?? 0
    }
    const lengths = [...one.obligatory.map(({ length }) => length), ...one.electives.map(({ length }) => length)]
    if (lengths.length > MOST_BLOCKS) wrong.push(`${one.id}: more than ${MOST_BLOCKS} blocks`)
    const obligatory = one.obligatory.map((block) => department(block.department))
    if (new Set(obligatory).size !== obligatory.length) wrong.push(`${one.id}: a department is obligatory twice`)
    const leave = Array.from({ length: periods }, (_, p) => one.leave.includes(p))
    if (one.leave.some((p) => p >= periods)) wrong.push(`${one.id}: leave after the last period`)
    const barred = (one.barred ?? []).map(department)
    const fixed = Array<number>(periods).fill(NOWHERE)
    for (const { department: of, start } of one.fixed)
      if (start >= periods) wrong.push(`${one.id}: ${of} is fixed after the last period`)
      else fixed[start] = department(of)
    return {
      blocks: lengths.length,
      obligatory: obligatory.length,
      lengths,
      departments: [...obligatory, ...one.electives.map(() => NOWHERE)],
      wishes: one.electives.map(({ wishes }) => wishes.map(department)),
      leave,
      fixed,
      isObligatory: Array.from(
        { length: instance.departments.length },
        (_, d) => obligatory.includes(d) || barred.includes(d),
      ),
      free: periods - lengths.reduce((sum, length) => sum + length, 0) - leave.filter(Boolean).length,
      mates: [...(matesOf.get(one.id) ?? [])],
    }
  })
  if (wrong.length) throw new RotationError([...new Set(wrong)].join('\n'))
  return {
    periods,
    departments: instance.departments.map(({ id }) => id),
    capacity,
    trainees,
    names: instance.trainees.map(({ id }) => id),
    longest: Math.max(1, ...trainees.flatMap(({ lengths }) => lengths)),
    once: instance.once === true,
  }
}
