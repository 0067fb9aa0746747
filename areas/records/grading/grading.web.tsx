import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'grading',
  screens: {
    '/offerings/grades/:id': () => import('./grades/grades.web.tsx'),
    '/offerings/import_grades/:id': () => import('./grades/import.web.tsx'),
    '/control/offerings': () => import('./control/offerings.web.tsx'),
    '/control/grades_recheck': () => import('./rechecks/inbox.web.tsx'),
    '/control/grades_recheck/show/:id': () => import('./rechecks/inbox.web.tsx'),
    '/control/grades_recheck/edit/:id': () => import('./rechecks/review.web.tsx'),
    '/correction_requests': () => import('./rechecks/own.web.tsx'),
    '/correction_requests/:id': () => import('./rechecks/own.web.tsx'),
    '/correction_requests/add': () => import('./rechecks/ask.web.tsx'),
    '/control/offerings/barcode/:id': () => import('./barcodes/barcodes.web.tsx'),
    '/exams_barcodes': () => import('./barcodes/exams.web.tsx'),
    '/control/results': () => import('./control/results.web.tsx'),
    '/control/students': () => import('./terms/students.web.tsx'),
    '/control/students/:student_id/:term_id': () => import('./terms/student.web.tsx'),
  },
  waiting: { 'grading.marks': () => import('./grades/waiting.web.ts') },
  resources: {
    mark: () => import('./marks/mark.web.tsx'),
  },
})
