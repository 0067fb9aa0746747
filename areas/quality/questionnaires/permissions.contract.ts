/** Permissions of this area. A subject has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const questionnaires = {
  subjects: {
    questionnaire: ['Questionnaires', 'الاستبيانات'],
    questionnaireType: ['Types of questionnaires', 'أنواع الاستبيانات'],
    questionnaireQuestion: ['Questions of questionnaires', 'أسئلة الاستبيانات'],
  },
  rights: {
    results_questionnaire: ['See results of questionnaires', 'عرض نتائج الاستبيانات', 'taught'],
    mask_questionnaire: ['Mask names in comments, and release comments', 'إخفاء الأسماء في التعليقات وإتاحتها'],
  },
} as const
