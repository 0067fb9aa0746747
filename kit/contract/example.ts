import { z } from 'zod'
import { area, call, f, request, screen } from '#kit/contract/index.ts'

/** What students ask for: its calls, inbox, screens and tests derive from this. */
const visit = request('excuse', {
  path: '/example-visits',
  one: ['Visit', 'زيارة'],
  many: ['Visits', 'زيارات'],
  adding: ['Ask for a visit', 'طلب زيارة'],
  fields: { days: f.integer(['Days', 'الأيام'], { required: true, min: 1, max: 30 }) },
  needs: ({ days, left }: { days: number; left: number }) =>
    days > left ? [{ code: 'visit_days', data: { left } }] : [],
})
const title = ['Days left', 'الأيام المتبقية'] as const
const permission = 'access_student'
const response = z.object({ data: z.int() })
const left = call('GET', '/example-visits/left', { summary: title, permission, response })
/** One object per area: the server, the browser and the tests read it. */
export const visits = area({
  name: 'example-visits',
  label: ['Visits', 'زيارات'],
  resources: [visit],
  calls: { left },
  screens: [screen('/example-visits/left', { permission, title })],
  errors: { visit_days: ['Only {left} days are left.', 'لم يتبق سوى {left} أيام.'] },
})
