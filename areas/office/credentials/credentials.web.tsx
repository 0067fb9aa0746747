import { coursesFromFile } from '#areas/enrolment/transfers/outlets.contract.ts'
import { papersAsData } from '#areas/records/students/outlets.contract.ts'
import { defineAreaWeb, fill } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'credentials',
  fills: [
    fill(papersAsData, async () => (await import('./issue/papers-as-data.web.tsx')).PapersAsData),
    fill(coursesFromFile, async () => (await import('./read/courses-from-file.web.tsx')).CoursesFromFile),
  ],
})
