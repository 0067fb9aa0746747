import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { part } from '#kit/web/later.ts'
import { listPanel } from '#kit/web/list/list-panel.tsx'
import { department } from './department.contract.ts'
import { filled } from '#kit/web/router/load.tsx'
import { projectsOfDepartment, publicationsOfDepartment, thesesOfDepartment } from '../outlets.contract.ts'
import { course } from '../courses/course.contract.ts'
import { program } from '../programs/program.contract.ts'

export default resourceWeb(department, {
  detail: {
    panels: [
      {
        key: 'courses',
        title: ['Courses', 'المقررات'],
        ...listPanel(
          course,
          () => import('../courses/course.web.tsx'),
          (row) => ({ department_id: row.id }),
        ),
      },
      {
        key: 'programs',
        title: ['Programs', 'البرامج'],
        ...listPanel(
          program,
          () => import('../programs/program.web.tsx'),
          (row) => ({ department_id: row.id }),
        ),
      },
      {
        key: 'publications',
        title: ['Publications', 'المنشورات'],
        permission: 'access_publication',
        Content: filled(publicationsOfDepartment),
      },
      {
        key: 'theses',
        title: ['Theses', 'الرسائل'],
        permission: 'access_thesis',
        Content: filled(thesesOfDepartment),
      },
      {
        key: 'projects',
        title: ['Projects', 'المشروعات'],
        permission: 'access_project',
        Content: filled(projectsOfDepartment),
      },
      {
        key: 'past',
        title: ['Names and successors', 'الأسماء والمآل'],
        Content: part(async () => (await import('../units/unit.web.tsx')).PastOfDepartment),
      },
    ],
  },
})
