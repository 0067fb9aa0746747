/** Permissions of this area. A subject has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const returns = {
  subjects: {
    returnTemplate: ['Templates of returns', 'نماذج الإحصاءات', 'university'],
    statisticalReturn: ['Statistical returns', 'الإحصاءات الرسمية', 'university'],
  },
  rights: {
    fill_statisticalReturn: ['Fill and check statistical returns', 'استيفاء الإحصاءات الرسمية ومراجعتها', 'university'],
    send_statisticalReturn: ['Send and correct statistical returns', 'إرسال الإحصاءات الرسمية وتصحيحها', 'university'],
  },
} as const
