import { liveStore, may } from '../auth/me.ts'
import { screenAt } from './screens.ts'

/**
 * Where `/` leads: the dashboard of whoever is signed in. Administrators to the overview, students to their academic page,
 * instructors to their offerings, advisors to their students, everybody else to the own profile.
 */
const HOMES: readonly (readonly [right: string, path: string])[] = [
  ['admin_system', '/overview'],
  ['access_student', '/student-academic'],
  ['access_my_offerings', '/workspace/my_offerings'],
  ['access_my_advising', '/my_advising'],
]

export function homePath(): string {
  if (!liveStore.get()) return '/login'
  for (const [right, path] of HOMES) {
    const screen = screenAt(path)
    if (screen && may(right as never) && may(screen.permission)) return path
  }
  return '/profile'
}
