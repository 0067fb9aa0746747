/**
 * A small OneRoster 1.2 bundle that looks like a real export: for tests and the journey, generated, the same every time.
 */
export interface SampleOptions {
  readonly students?: number
  readonly courses?: number
  /** Courses of each student. */
  readonly load?: number
}
export type SampleFiles = Record<string, string>

const line = (...cells: (string | number)[]): string =>
  cells.map((c) => (/[",\n]/.test(String(c)) ? `"${String(c).replaceAll('"', '""')}"` : String(c))).join(',')
const csv = (header: string, rows: string[]): string => `${[header, ...rows].join('\r\n')}\r\n`

/** Files by name without `.csv`. */
export function sampleBundle({ students = 60, courses = 8, load = 4 }: SampleOptions = {}): SampleFiles {
  const at = 'active,2026-06-01T00:00:00.000Z'
  const files = ['orgs', 'academicSessions', 'courses', 'classes', 'users', 'enrollments']
  const course = (c: number) => `course-${c}`
  const user = (s: number) => `student-${s}`
  const enrolments = Array.from({ length: students }, (_, s) =>
    Array.from({ length: load }, (_, k) => ({ s, c: (s * 3 + k * (1 + (s % 2))) % courses })),
  )
    .flat()
    .filter((e, i, all) => all.findIndex((x) => x.s === e.s && x.c === e.c) === i)
  return {
    manifest: csv('propertyName,value', [
      line('manifest.version', '1.0'),
      line('oneroster.version', '1.2'),
      ...files.map((f) => line(`file.${f}`, 'bulk')),
      line('file.roles', 'absent'),
      line('source.systemCode', 'sample'),
    ]),
    orgs: csv('sourcedId,status,dateLastModified,name,type,identifier,parentSourcedId', [
      `org-0,${at},Sample University,district,SU,`,
      `org-1,${at},"School of Science, Sample",school,SCI,org-0`,
      `org-2,${at},Mathematics,department,MATH,org-1`,
    ]),
    academicSessions: csv('sourcedId,status,dateLastModified,title,type,startDate,endDate,parentSourcedId,schoolYear', [
      `year-1,${at},2026/2027,schoolYear,2026-09-01,2027-08-31,,2027`,
      `term-1,${at},Fall 2026,term,2026-09-12,2027-01-20,year-1,2027`,
    ]),
    courses: csv(
      'sourcedId,status,dateLastModified,schoolYearSourcedId,title,courseCode,grades,orgSourcedId,subjects,subjectCodes',
      Array.from(
        { length: courses },
        (_, c) =>
          `${course(c)},${at},year-1,"Course ${c}, part one",S${String(c).padStart(3, '0')},,${c % 2 ? 'org-1' : 'org-2'},,`,
      ),
    ),
    classes: csv(
      'sourcedId,status,dateLastModified,title,grades,courseSourcedId,classCode,classType,location,schoolSourcedId,termSourcedIds,subjects,subjectCodes,periods',
      Array.from(
        { length: courses },
        (_, c) => `class-${c},${at},Class ${c},,${course(c)},S${c}-1,scheduled,,org-1,term-1,,,`,
      ),
    ),
    users: csv(
      'sourcedId,status,dateLastModified,enabledUser,username,userIds,givenName,familyName,middleName,identifier,email,sms,phone,agentSourcedIds,grades,password,userMasterIdentifier,resourceSourcedIds,preferredGivenName,preferredMiddleName,preferredFamilyName,primaryOrgSourcedId,pronouns',
      [
        ...Array.from(
          { length: students },
          (_, s) =>
            `${user(s)},${at},true,u${s},,Student,No${s},,S26${String(s).padStart(4, '0')},s${s}@sample.example.edu,,,,,,,,,,,org-1,`,
        ),
        `teacher-1,${at},true,t1,,Noor,Sample,,T001,noor@sample.example.edu,,,,,,,,,,,org-2,`,
      ],
    ),
    enrollments: csv(
      'sourcedId,status,dateLastModified,classSourcedId,schoolSourcedId,userSourcedId,role,primary,beginDate,endDate',
      [
        ...enrolments.map(
          (e) => `enr-${e.s}-${e.c},${at},class-${e.c},org-1,${user(e.s)},student,,2026-09-12,2027-01-20`,
        ),
        ...Array.from({ length: courses }, (_, c) => `teach-${c},${at},class-${c},org-1,teacher-1,teacher,true,,`),
      ],
    ),
  }
}

/** The same as bytes. */
export const sampleBytes = (files: SampleFiles): Record<string, Uint8Array> =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)]))
