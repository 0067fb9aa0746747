/** What applicants are told of their appointments: day, hour and place, in the language of the application. */
import { sql } from 'kysely'
import { zoneOfUniversity } from '#kit/contract/day.ts'
import { LOCALES } from '#kit/contract/words.ts'
import type { Language } from '#kit/contract/index.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import type { EntranceKind } from '../words.contract.ts'

interface Booked {
  email: string | null
  language: Language
  code: string
  kind: EntranceKind
  begins_at: string
  minutes: number
  place: string | null
  hall: string | null
  hall_local: string | null
  building: string | null
  building_local: string | null
  ended: boolean
}

/** SQL of the hall of an appointment `e`, as JSON; null: none. */
export const HALL = sql`(select json_build_object('id', l.id, 'code', l.code, 'name', l.name, 'name_local', l.name_local,
    'building', json_build_object('id', b.id, 'code', b.code, 'name', b.name, 'name_local', b.name_local))
  from locations l join buildings b on b.id = l.building_id where l.id = e.location_id)`

/** Tells an applicant of an appointment: that it was made, that it changed, or that it was taken back. */
export const sendEntranceMail = defineJob({
  name: 'send-entrance-mail',
  retries: 5,
  async run(ctx, { booking_id, what }: { booking_id: number; what: 'new' | 'changed' | 'off' }) {
    const { rows } = await sql<Booked>`select t.email, t.language, t.code, k.kind, e.begins_at, e.minutes::int, e.place,
        l.name as hall, l.name_local as hall_local, b.name as building, b.name_local as building_local, k.ended_at is not null as ended
      from entrance_bookings k join entrance_appointments e on e.id = k.appointment_id join applicants t on t.id = k.applicant_id
        left join locations l on l.id = e.location_id left join buildings b on b.id = l.building_id
      where k.id = ${booking_id}`.execute(ctx.db)
    const [to] = rows
    // What was taken back meanwhile is told by its own mail.
    if (!to?.email || to.ended !== (what === 'off')) return
    const head = await universityHead(ctx)
    const arabic = to.language === 'ar'
    const at = new Date(to.begins_at)
    const zone = zoneOfUniversity()
    const day = new Intl.DateTimeFormat(LOCALES[to.language], { dateStyle: 'full', ...(zone && { timeZone: zone }) })
    const hour = new Intl.DateTimeFormat(LOCALES[to.language], { timeStyle: 'short', ...(zone && { timeZone: zone }) })
    const place = [arabic ? to.building_local : to.building, arabic ? to.hall_local : to.hall, to.place].filter(
      (one): one is string => Boolean(one),
    )
    await ctx.services.mail.send({
      to: to.email,
      lang: to.language,
      key: `entrance_${to.kind}_${what}`,
      id: `entrance-${booking_id}-${what}-${at.getTime()}`,
      data: {
        number: to.code,
        university: arabic ? head.name_local : head.name,
        day: day.format(at),
        hour: hour.format(at),
        minutes: to.minutes,
        place: place.join(arabic ? '، ' : ', '),
        link: `${ctx.services.config.publicUrl}/apply`,
      },
    })
  },
})
