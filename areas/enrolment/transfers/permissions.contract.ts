/** Permissions of this area. A right stands for itself. Data only. */
export const transfers = {
  rights: {
    access_transfer: ['See transfers and equivalences of courses', 'عرض التحويلات ومعادلة المقررات', 'own', 'advised'],
    ask_transfer: ['Ask for a transfer', 'تقديم طلب تحويل', 'own', 'advised'],
    agree_transfer: ['Agree that a student leaves the program', 'الموافقة على خروج الطالب من البرنامج'],
    edit_equivalence: ['Decide on the equivalence of courses', 'تقرير معادلة المقررات'],
    execute_transfer: ['Execute or reject transfers to a program', 'تنفيذ التحويل إلى البرنامج أو رفضه'],
    approve_transfer_out: ['Approve or reject transfers out', 'اعتماد التحويل إلى خارج الجامعة أو رفضه'],
  },
} as const
