import type { AreaLoaders } from '#kit/web/router/load.tsx'

/** The web side of every area, by its name; each is fetched when one of its screens is opened. */
export const AREA_WEBS: AreaLoaders = {
  shell: () => import('#kit/web/app/shell.web.tsx'),
  terms: () => import('#areas/terms/terms.web.tsx'),
  scheduling: () => import('#areas/scheduling/scheduling.web.tsx'),
  settings: () => import('#areas/settings/settings.web.tsx'),
  oneroster: () => import('#areas/oneroster/oneroster.web.tsx'),
  registration: () => import('#areas/registration/registration.web.tsx'),
  offerings: () => import('#areas/offerings/offerings.web.tsx'),
  grading: () => import('#areas/grading/grading.web.tsx'),
  reports: () => import('#areas/reports/reports.web.tsx'),
  catalogue: () => import('#areas/catalogue/catalogue.web.tsx'),
  people: () => import('#areas/people/people.web.tsx'),
  students: () => import('#areas/students/students.web.tsx'),
}

/** Resources the command palette searches, in the order in which it shows them. */
export const SEARCHED: readonly string[] = ['student', 'course', 'instructor', 'employee', 'program', 'faculty']
