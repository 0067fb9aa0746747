import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'admissions',
  screens: {},
  resources: {
    admission: () => import('./admissions/admission.web.tsx'),
    admissionProgram: () => import('./programs/admission-program.web.tsx'),
  },
})
