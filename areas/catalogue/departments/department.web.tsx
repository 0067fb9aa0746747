import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import ResourceList from '#kit/web/list/resource-list.tsx'
import courseWeb from '../courses/course.web.tsx'
import programWeb from '../programs/program.web.tsx'
import { department } from './department.contract.ts'

export default resourceWeb(department, {
  detail: {
    panels: [
      {
        key: 'courses',
        title: ['Courses', 'المقررات'],
        Content: ({ row }) => <ResourceList web={courseWeb} page={false} fixed={{ department_id: row.id }} />,
      },
      {
        key: 'programs',
        title: ['Programs', 'البرامج'],
        Content: ({ row }) => <ResourceList web={programWeb} page={false} fixed={{ department_id: row.id }} />,
      },
    ],
  },
})
