/** Permissions of this area. A subject has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const internship = {
  subjects: {
    emtyaz: ['Internship years and courses', 'سنوات الامتياز ومقرراتها'],
    // `supervised`: those in which the instructor supervises. `own`: those of the intern's year.
    emtyazTraining: ['Trainings of the internship year', 'تدريبات سنة الامتياز', 'own', 'supervised'],
    emtyazIntern: ['Interns', 'أطباء الامتياز', 'own'],
  },
  lookups: {
    emtyazHospital: ['Hospitals', 'المستشفيات'],
  },
  requests: {
    rotation: ['Rotations', 'دورات الامتياز'],
  },
  rights: {
    plan_rotation: ['Plan the rotations of a year', 'تخطيط دورات سنة الامتياز'],
    grade_rotation: ['Mark rotations and submit them', 'تقدير درجات الدورات وتسليمها', 'supervised'],
    grade_rotation_late: ['Mark rotations after the deadline', 'تقدير درجات الدورات بعد انتهاء المهلة'],
    review_rotation: ['Review marks of rotations', 'مراجعة درجات الدورات', 'supervised'],
    approve_rotation: ['Approve and publish marks of rotations', 'اعتماد درجات الدورات وإعلانها', 'supervised'],
    complete_emtyaz: ['Complete the internship year of interns', 'إتمام سنة الامتياز'],
  },
} as const
