import { teachingOfInstructor } from '#areas/people/people/outlets.contract.ts'
import { defineAreaWeb, fill } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'offerings',
  screens: {
    '/offerings': () => import('./list.web.tsx'),
    '/offering/:id': () => import('./detail.web.tsx'),
    '/offerings/add': () => import('./add.web.tsx'),
    '/offering/edit/:id': () => import('./edit.web.tsx'),
    '/offerings/plan': () => import('./plan.web.tsx'),
    '/offerings/lms': () => import('./lms/lms.web.tsx'),
    '/workspace/my_offerings': () => import('./teaching/my-offerings.web.tsx'),
  },
  fills: [
    fill(teachingOfInstructor, async () => (await import('./teaching/of-instructor.web.tsx')).TeachingOfInstructor),
  ],
})
