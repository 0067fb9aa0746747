/** A Moodle on this machine, as far as its web services are used: the published functions, shapes and refusals. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const TOKEN = 'moodle-only-on-this-machine'

export interface SimulatedUser {
  id: number
  username: string
  idnumber: string
  email: string
  firstname: string
  lastname: string
  auth: string
}
export interface SimulatedCourse {
  id: number
  shortname: string
  fullname: string
  idnumber: string
  categoryid: number
  /** Roles by the ids of users. */
  members: Map<number, Set<number>>
}

export interface MoodleSimulator {
  readonly url: string
  /** What the application is started with to use it. */
  readonly variables: Readonly<Record<string, string>>
  readonly users: SimulatedUser[]
  readonly courses: SimulatedCourse[]
  /** Functions called so far. */
  readonly called: string[]
  /** Answers nothing any more. */
  silent: boolean
  close(): Promise<void>
}

class MoodleError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
const invalid = (what: string) => new MoodleError('invalidparameter', `Invalid parameter value detected (${what})`)

type Line = Record<string, string>
/** `users[0][email]=x` as lines of fields; `values[0]=x` as lines of `''`. */
function linesOf(form: URLSearchParams, name: string): Line[] {
  const lines: Line[] = []
  for (const [key, value] of form) {
    const [, at, field = ''] = new RegExp(`^${name}\\[(\\d+)\\](?:\\[(\\w+)\\])?$`).exec(key) ?? []
    if (at !== undefined) (lines[Number(at)] ??= {})[field] = value
  }
  return lines
}

/** Opens it. `port`: 0 for any. */
export async function openMoodleSimulator({ port = 0 }: { port?: number } = {}): Promise<MoodleSimulator> {
  const users: SimulatedUser[] = []
  const courses: SimulatedCourse[] = []
  const called: string[] = []
  const courseOf = (id: unknown): SimulatedCourse => {
    const found = courses.find((one) => one.id === Number(id))
    if (!found) throw new MoodleError('invalidrecord', "Can't find data record in database table course.")
    return found
  }
  const userOf = (id: unknown): SimulatedUser => {
    const found = users.find((one) => one.id === Number(id))
    if (!found) throw new MoodleError('invaliduser', 'Invalid user')
    return found
  }
  const functions: Readonly<Record<string, (form: URLSearchParams) => unknown>> = {
    core_webservice_get_site_info: () => ({ sitename: 'Moodle', release: '4.5', functions: [] }),
    core_course_get_courses_by_field: (form) => ({
      courses: courses
        .filter((one) => one[form.get('field') as 'idnumber' | 'shortname'] === form.get('value'))
        .map(({ id, shortname, fullname, idnumber, categoryid }) => ({
          id,
          shortname,
          fullname,
          idnumber,
          categoryid,
        })),
      warnings: [],
    }),
    core_course_create_courses: (form) =>
      linesOf(form, 'courses').map(({ fullname = '', shortname = '', idnumber = '', categoryid = '' }) => {
        if (!fullname || !shortname || !Number(categoryid)) throw invalid('missing required keys')
        if (courses.some((one) => one.shortname === shortname))
          throw new MoodleError('shortnametaken', `Short name is already used for another course (${shortname})`)
        if (idnumber && courses.some((one) => one.idnumber === idnumber))
          throw new MoodleError('courseidnumbertaken', `ID number is already used for another course (${idnumber})`)
        const id = courses.length + 2
        courses.push({ id, fullname, shortname, idnumber, categoryid: Number(categoryid), members: new Map() })
        return { id, shortname }
      }),
    core_course_update_courses: (form) => {
      for (const { id, fullname, shortname } of linesOf(form, 'courses'))
        Object.assign(courseOf(id), { ...(fullname && { fullname }), ...(shortname && { shortname }) })
      return { warnings: [] }
    },
    core_user_get_users_by_field: (form) => {
      const values = linesOf(form, 'values').map((line) => line['']?.toLowerCase())
      return users.filter((one) => values.includes(one[form.get('field') as 'idnumber' | 'email'].toLowerCase()))
    },
    core_user_create_users: (form) =>
      linesOf(form, 'users').map((line) => {
        const { username = '', email = '', firstname = '', lastname = '', idnumber = '', auth = 'manual' } = line
        if (!firstname || !lastname) throw invalid('missing required keys')
        if (username !== username.toLowerCase()) throw invalid('The username must be in lower case')
        if (users.some((one) => one.username === username)) throw invalid(`Username already exists: ${username}`)
        if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) throw invalid(`Email address is invalid: ${email}`)
        if (users.some((one) => one.email === email)) throw invalid(`Email address already exists: ${email}`)
        const id = users.length + 3
        users.push({ id, username, email, firstname, lastname, idnumber, auth })
        return { id, username }
      }),
    core_enrol_get_enrolled_users: (form) =>
      [...courseOf(form.get('courseid')).members].map(([id, roles]) => ({
        ...userOf(id),
        roles: [...roles].map((roleid) => ({ roleid })),
      })),
    enrol_manual_enrol_users: (form) => {
      for (const { roleid, userid, courseid } of linesOf(form, 'enrolments')) {
        const { members } = courseOf(courseid)
        members.set(userOf(userid).id, new Set(members.get(Number(userid))).add(Number(roleid)))
      }
      return null
    },
    enrol_manual_unenrol_users: (form) => {
      for (const { userid, courseid, roleid } of linesOf(form, 'enrolments')) {
        const { members } = courseOf(courseid)
        members.get(Number(userid))?.delete(Number(roleid))
        if (!members.get(Number(userid))?.size) members.delete(Number(userid))
      }
      return null
    },
  }
  const answer = (form: URLSearchParams): unknown => {
    const name = form.get('wsfunction') ?? ''
    called.push(name)
    try {
      if (form.get('wstoken') !== TOKEN) throw new MoodleError('invalidtoken', 'Invalid token - token not found')
      const found = functions[name]
      if (!found) throw new MoodleError('accessexception', 'Access control exception')
      return found(form)
    } catch (error) {
      if (!(error instanceof MoodleError)) throw error
      return { exception: 'moodle_exception', errorcode: error.code, message: error.message }
    }
  }
  const simulator = { silent: false }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      if (simulator.silent) return void response.writeHead(503).end()
      const at = new URL(request.url ?? '/', 'http://localhost')
      if (at.pathname === '/webservice/rest/server.php') {
        const found = answer(new URLSearchParams(Buffer.concat(parts).toString('utf8')))
        return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found))
      }
      const chosen = courses.find((one) => String(one.id) === at.searchParams.get('id'))
      const lines = chosen
        ? [...chosen.members.keys()].map((id) => `${userOf(id).firstname} ${userOf(id).lastname} <${userOf(id).email}>`)
        : courses.map((one) => `/course/view.php?id=${one.id} ${one.shortname}: ${one.fullname} (${one.members.size})`)
      response
        .writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
        .end([chosen?.fullname ?? 'Courses', ...lines].join('\n'))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(simulator, {
    url,
    variables: { MOODLE_URL: url, MOODLE_TOKEN: TOKEN },
    users,
    courses,
    called,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}
