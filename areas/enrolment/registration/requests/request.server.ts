/** Asking for courses: judged by all rules at once, written with the seats in one statement. */
import type pg from 'pg'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { Lanes, together } from '#kit/server/unit/together.ts'
import { isSelf, reachOf } from '../capacity.server.ts'
import { overridableCodes, type Override } from '../registration.rules.ts'
import type { Who } from '#areas/common/academics/status.rules.ts'
import { cameBetween } from './between.server.ts'
import { gatherRequest, gatherEach, type GatheredRequest } from './gather.server.ts'
import { judgeRequest, reasonsOf, type RequestTerms, type Wanted } from './judge.server.ts'
import { seat, type MadeRegistration, type Request } from './seat.server.ts'

type Asked = {
  student_id: number
  action: 'request' | 'add' | 'enroll'
  offerings: readonly Wanted[]
  overrides?: readonly Override[]
  over_quota?: boolean
  reason?: string | null
  /** The offerings are the block of the student's level. */
  block?: boolean
  /** Of the block only the exams are sat: no seats. */
  exam_only?: boolean
}

/** Judging again when somebody came between; more often would mean that something else is wrong. */
const ATTEMPTS = 6

type Shared = {
  gatherOne: (asked: { student_id: number; offering_id: number }) => Promise<GatheredRequest | null>
  seatOne: (request: Request) => Promise<MadeRegistration[]>
}
const sharing = new WeakMap<pg.Pool, Shared>()

/** What requests of a rush share, per pool of connections. */
function shared(pool: pg.Pool): Shared {
  let known = sharing.get(pool)
  if (!known) {
    // Measured: what a statement costs by itself is a multiple of what one more item in it costs, and so is a commit.
    // One run fills while the last is under way, of either kind. A second one beside it would make runs smaller, and make rows
    // that both refer to (a course, a term) shared by two transactions, which costs more than waiting.
    const options = { most: 32, lanes: new Lanes(1) }
    known = {
      gatherOne: together((items: readonly { student_id: number; offering_id: number }[]) => gatherEach(pool, items), {
        ...options,
        apart: ({ student_id }) => student_id,
      }),
      seatOne: together((items: readonly Request[]) => seat(pool, items), {
        ...options,
        apart: ({ person_id, student_id }) => person_id ?? -student_id,
      }),
    }
    sharing.set(pool, known)
  }
  return known
}

const keyOf: Record<Asked['action'], PermissionKey> = {
  request: 'request_registration',
  add: 'request_registration',
  enroll: 'enroll_students',
}

/** In which capacity the caller asks for this student. @throws {Refusal} 404 outside the reach, 403 for what needs more */
function whoAsks(ctx: Ctx, g: GatheredRequest, { action, overrides, over_quota }: Asked): RequestInputWho {
  const { student } = g
  if (ctx.system !== null) return 'system'
  if (isSelf(ctx, student.id)) {
    if (overrides?.length || over_quota || action === 'enroll') throw refuse(403, 'not_allowed')
    return 'student'
  }
  const reached = reachOf(ctx, [keyOf[action]], student)
  if (reached === null) throw refuse(404, 'not_found')
  if (overrides?.length && reachOf(ctx, ['override_registration_rule'], student) === null)
    throw refuse(403, 'not_allowed')
  if (over_quota && reachOf(ctx, ['use_over_quota'], student) === null) throw refuse(403, 'not_allowed')
  // Whoever answers for a part of the university stands in for its advisors.
  return reached === 'scope' ? 'registrar' : 'advisor'
}
type RequestInputWho = Extract<Who, 'student' | 'advisor' | 'registrar' | 'system'>

/** Overrides that cannot work are refused before anything is judged. */
function checkOverrides(overrides: readonly Override[]): void {
  const wrong = overrides.flatMap(({ code, reason }, i) => [
    ...(overridableCodes.has(code)
      ? []
      : [{ field: `overrides.${i}.code`, code: 'override_not_possible', data: { rule: code } }]),
    ...(reason.trim() ? [] : [{ field: `overrides.${i}.reason`, code: 'reason_required' }]),
  ])
  if (wrong.length) throw new Refusal(422, wrong)
}

/** Within another unit of work: what the database refuses is taken back, and judged again. */
const seatInUnit = async (ctx: Ctx, request: Request, reason: string | null): Promise<MadeRegistration[]> =>
  (await ctx.attempt(() => ctx.write((tx) => seat(tx, [request]), { reason })))[0] ?? []

/**
 * Asks for one or several offerings for a student, all or none: the same for students, advisors, registrars and the wait
 * list.
 *
 * @returns the registrations made
 * @throws {Refusal} 409 with every rule broken in every offering; 404 for a student out of reach or an unknown offering
 */
export async function requestOfferings(ctx: Ctx, asked: Asked): Promise<MadeRegistration[]> {
  const { student_id, offerings, overrides = [], over_quota = false, reason = null } = asked
  checkOverrides(overrides)
  const [only] = offerings
  const several = offerings.length > 1
  const { gatherOne, seatOne } = shared(ctx.services.pool)
  for (let attempt = 1; ; attempt++) {
    const g =
      several || ctx.inUnit
        ? await gatherRequest(
            ctx.pool,
            student_id,
            offerings.map((offering) => offering.offering_id),
          )
        : await gatherOne({ student_id, offering_id: only?.offering_id ?? 0 })
    if (!g) throw refuse(404, 'not_found')
    const { action, block = false, exam_only = false } = asked
    const terms: RequestTerms = { who: whoAsks(ctx, g, asked), action, overrides, over_quota, reason, block, exam_only }
    const { judged, registrations } = await judgeRequest(ctx, g, offerings, terms)
    if (judged.some((one) => one.refusals.length)) {
      throw new Refusal(
        409,
        reasonsOf(judged, (i) => (several ? `offerings.${i}` : null)),
      )
    }
    const request = { student_id, person_id: g.student.user_id, turn: g.turn, actor: ctx.who(reason), registrations }
    try {
      // What takes up a dropped registration changes a row, and that is audited by itself.
      const alone = several || registrations.some((one) => one.dropped)
      const made = ctx.inUnit
        ? await seatInUnit(ctx, request, reason)
        : alone
          ? ((await seat(ctx.pool, [request]))[0] ?? [])
          : await seatOne(request)
      if (made.length === registrations.length) return made
    } catch (error) {
      if (attempt >= ATTEMPTS || !cameBetween(error)) throw error
    }
    if (attempt >= ATTEMPTS) throw refuse(409, 'changed_meanwhile')
  }
}
