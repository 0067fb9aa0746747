/** The web side of every area, by its name, and of every plain resource: each is fetched when one of its screens is opened. */
export { AREA_WEBS, PLAIN_RESOURCES, OUTLETS } from 'virtual:areas'

/** Resources the command palette searches, in the order in which it shows them. */
export const SEARCHED: readonly string[] = [
  'student',
  'course',
  'offering',
  'instructor',
  'employee',
  'program',
  'faculty',
  'location',
]
