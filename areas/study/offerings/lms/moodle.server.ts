/**
 * Moodle by its web services (REST, JSON): https://docs.moodle.org/dev/Web_services and
 * https://docs.moodle.org/dev/Web_service_API_functions. Needs a token of a service with the functions named below.
 */
import type { Config } from '#kit/server/base/config.ts'
import { PlatformDown, PlatformRefused } from './platform.server.ts'
import type { LmsMove, Role } from './lms.rules.ts'
import type { LearningPlatform, PersonThere } from './platform.server.ts'

type Settings = NonNullable<Config['moodle']>
type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value }

/** Milliseconds for an answer, and most bytes of one. */
const PATIENCE = 20_000
const LARGEST = 8_000_000
/** People asked about, or taken in, by one request. */
const AT_ONCE = 50

/** `{ users: [{ id: 1 }] }` as PHP reads it: `users[0][id]=1`. */
export function formOf(values: { readonly [name: string]: Value }): URLSearchParams {
  const form = new URLSearchParams()
  const put = (name: string, value: Value): void => {
    if (Array.isArray(value)) value.forEach((one: Value, i) => put(`${name}[${i}]`, one))
    else if (typeof value === 'object')
      for (const [key, one] of Object.entries(value as { readonly [name: string]: Value })) put(`${name}[${key}]`, one)
    else form.append(name, typeof value === 'boolean' ? (value ? '1' : '0') : String(value))
  }
  for (const [name, value] of Object.entries(values)) put(name, value)
  return form
}

/** Calls a function of the web service. What it is asked with holds the token: no message repeats it. */
async function ask<T>({ url, token }: Settings, name: string, values: { readonly [name: string]: Value }): Promise<T> {
  const form = formOf(values)
  form.set('wstoken', token)
  form.set('wsfunction', name)
  form.set('moodlewsrestformat', 'json')
  let status: number
  let text = ''
  try {
    const answer = await fetch(`${url}/webservice/rest/server.php`, {
      method: 'POST',
      body: form,
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE),
    })
    status = answer.status
    let size = 0
    const parts: Uint8Array[] = []
    for await (const part of answer.body ?? []) {
      size += part.byteLength
      if (size > LARGEST) throw new RangeError('too large')
      parts.push(part)
    }
    text = Buffer.concat(parts).toString('utf8')
  } catch (error) {
    throw new PlatformDown(`Moodle did not answer ${name}: ${(error as Error).name}`)
  }
  if (status !== 200) throw new PlatformDown(`Moodle answered ${status} to ${name}`)
  let body: unknown
  try {
    body = text === '' ? null : JSON.parse(text)
  } catch {
    throw new PlatformDown(`Moodle answered ${name} with what is no JSON`)
  }
  // A refusal is answered with 200 as well.
  if (body && typeof body === 'object' && 'exception' in body) {
    const { errorcode, message } = body as { errorcode?: unknown; message?: unknown }
    throw new PlatformRefused(String(message ?? '').slice(0, 300), String(errorcode ?? 'unknown').slice(0, 60))
  }
  return body as T
}

interface User {
  readonly id: number
  readonly idnumber?: string
  readonly email?: string
  readonly roles?: readonly { readonly roleid: number }[]
}
interface Course {
  readonly id: number
}

const seconds = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000
const parts = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, i) => all.slice(i * AT_ONCE, (i + 1) * AT_ONCE))

/** A Moodle. */
export function moodlePlatform(settings: Settings): LearningPlatform {
  const call = <T>(name: string, values: { readonly [name: string]: Value }) => ask<T>(settings, name, values)
  const roleId: Readonly<Record<Role, number>> = settings.roles
  const find = async (field: 'idnumber' | 'email', values: readonly string[]): Promise<User[]> => {
    const found: User[] = []
    for (const part of parts(values))
      found.push(...((await call<User[] | null>('core_user_get_users_by_field', { field, values: part })) ?? []))
    return found
  }
  const lines = (course: string, people: readonly LmsMove[]) =>
    people.map(({ id, role }) => ({ roleid: roleId[role], userid: Number(id), courseid: Number(course) }))
  return {
    name: 'Moodle',
    url: settings.url,
    async course({ key, short, name, starts, ends }) {
      const found = await call<{ courses: Course[] }>('core_course_get_courses_by_field', {
        field: 'idnumber',
        value: key,
      })
      const said = { fullname: name, shortname: short, startdate: seconds(starts), enddate: seconds(ends) }
      let id = found.courses[0]?.id
      const created = id === undefined
      if (id === undefined) {
        const made = await call<Course[]>('core_course_create_courses', {
          courses: [{ ...said, idnumber: key, categoryid: settings.category }],
        })
        id = made[0]!.id
      } else await call('core_course_update_courses', { courses: [{ id, ...said }] })
      return { id: String(id), address: `${settings.url}/course/view.php?id=${id}`, created }
    },
    async accounts(people) {
      const known = new Map<string, string>()
      for (const user of await find(
        'idnumber',
        people.map(({ key }) => key),
      ))
        if (user.idnumber) known.set(user.idnumber, String(user.id))
      const rest = new Map(people.filter(({ key }) => !known.has(key)).map((one) => [one.email.toLowerCase(), one.key]))
      for (const user of await find('email', [...rest.keys()])) {
        const key = rest.get(user.email?.toLowerCase() ?? '')
        // An account with a number of somebody else is not this person's.
        if (key !== undefined && !user.idnumber) known.set(key, String(user.id))
      }
      return known
    },
    async make({ key, first, last, email }: PersonThere) {
      const made = await call<{ id: number }[]>('core_user_create_users', {
        users: [
          {
            username: email.toLowerCase(),
            auth: settings.auth,
            // With the sign-in of the university nobody needs a password there; else Moodle makes one and sends it.
            ...(settings.auth === 'manual' && { createpassword: true }),
            firstname: first,
            lastname: last,
            email,
            idnumber: key,
          },
        ],
      })
      return String(made[0]!.id)
    },
    async members(course) {
      const found = await call<User[]>('core_enrol_get_enrolled_users', { courseid: Number(course) })
      return found.map(({ id, idnumber = '', email = '', roles = [] }) => ({
        id: String(id),
        key: idnumber,
        email: email.toLowerCase(),
        roles: (['student', 'teacher'] as const).filter((role) => roles.some(({ roleid }) => roleid === roleId[role])),
      }))
    },
    async enrol(course, people) {
      for (const enrolments of parts(lines(course, people))) await call('enrol_manual_enrol_users', { enrolments })
    },
    async remove(course, people) {
      for (const enrolments of parts(lines(course, people))) await call('enrol_manual_unenrol_users', { enrolments })
    },
  }
}
