/** Permissions of this area. A lookup has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const trainings = {
  rights: {
    approve_studentTraining: ['Assess and approve trainings of students', 'تقييم تدريبات الطلاب واعتمادها', 'advised'],
  },
  requests: {
    studentTraining: ['Student trainings', 'تدريبات الطلاب'],
  },
  lookups: {
    training: ['Trainings', 'التدريبات'],
    trainingOrganisation: ['Training organisations', 'جهات التدريب'],
  },
} as const
