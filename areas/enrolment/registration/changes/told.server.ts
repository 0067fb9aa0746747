import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { notifyEach } from '#kit/server/mail/notifications.ts'
import { type ReturnDecided, formerSlots } from './returns.server.ts'

/** What a person reads of a change made by somebody else. */
const NOTICES: Partial<Record<string, string>> = {
  accept: 'registration.notice_accepted',
  reject: 'registration.notice_rejected',
  force_withdraw: 'registration.notice_withdrawn',
  remove: 'registration.notice_removed',
  undo: 'registration.notice_returned',
}

/** What a person reads of the answer to a request in exchange for a course that is registered. */
const EXCHANGED: Partial<Record<string, string>> = {
  accept: 'registration.notice_swapped',
  reject: 'registration.notice_swap_rejected',
}

/** Meetings that linked offerings share go to the request with its acceptance, instead of being given back. */
export async function passShared(tx: Tx, decided: readonly ReturnDecided[]): Promise<void> {
  const pairs = decided.flatMap(({ row, gives_up }) => (gives_up ? [{ into: row.id, out: gives_up.row.id }] : []))
  if (!pairs.length) return
  const chosen = await formerSlots(
    tx,
    pairs.map((pair) => pair.into),
  )
  const lines = pairs.flatMap((pair) => (chosen.get(pair.into) ?? []).map((slot) => ({ ...pair, slot })))
  await sql`update registration_slots s set registration_id = x.into
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as x ("into" int, "out" int, slot int)
    where s.registration_id = x.out and s.offering_slot_id = x.slot
      and not exists (select from registration_slots k where k.registration_id = x.into and k.offering_slot_id = x.slot)`.execute(
    tx,
  )
}

/** One notice per student and kind of change, with the courses it is about; why a request was rejected is told with it. */
export async function tell(tx: Tx, decided: readonly ReturnDecided[], reason: string | null): Promise<void> {
  const why = (step: string) => step === 'reject' && reason
  const pairs = decided.filter(({ row, step }) => row.gives_up_id !== null && EXCHANGED[step])
  const told = decided.filter((one) => NOTICES[one.step] && !pairs.includes(one))
  const groups = Map.groupBy(told, ({ row, step }) => `${row.student_id}/${step}`)
  await notifyEach(tx, [
    ...pairs.map(({ row, step }) => ({
      user_id: row.user_id,
      records: [row.student_id],
      key: EXCHANGED[step]! + (why(step) ? '_reason' : ''),
      data: { ...(why(step) && { reason }), course: row.course_code, given: row.gives_up_code },
      link: '/offering/registration',
    })),
    ...[...groups.values()].map((group) => ({
      user_id: group[0]!.row.user_id,
      records: [group[0]!.row.student_id],
      key: NOTICES[group[0]!.step]! + (why(group[0]!.step) ? '_reason' : ''),
      data: {
        ...(why(group[0]!.step) && { reason }),
        courses: group.map(({ row }) => row.course_code).join(', '),
        count: group.length,
      },
      link: '/offering/registration',
    })),
  ])
}
