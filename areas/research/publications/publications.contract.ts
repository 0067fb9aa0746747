import { area } from '#kit/contract/index.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import { journalCalls, rankedJournal } from './journals/journal.contract.ts'
import { publication, publicationCalls, publicationFlow, publicationSteps } from './works/publication.contract.ts'

/** Publications: what members of the university publish, found, merged, listed and counted. */
export const publicationsArea = area({
  name: 'publications',
  label: ['Publications', 'المنشورات العلمية'],
  resources: [publication, rankedJournal],
  calls: [listedCalls(publicationFlow as never, publicationSteps), publicationCalls, journalCalls],
  errors: {
    publication_title: ['Give a title, in English or in Arabic.', 'أدخل عنوانًا بالإنجليزية أو بالعربية.'],
    publication_year_missing: ['Give the year in which it appeared.', 'أدخل سنة النشر.'],
    publication_year_ahead: ['The year is {year} at the latest.', 'السنة {year} على الأكثر.'],
    publication_members_missing: ['Name who made it.', 'أضف أعضاء العمل.'],
    publication_nobody_inside: [
      'Say which of its members belongs to the university.',
      'حدد من ينتمي إلى الجامعة من أعضاء العمل.',
    ],
    publication_corresponding_many: [
      'One member is the corresponding one, not {count}.',
      'المؤلف المراسل واحد، لا {count}.',
    ],
    publication_date: ['A day needs its month, and a month its year.', 'اليوم يلزمه شهر، والشهر تلزمه سنة.'],
    publication_day: ['The month has no such day.', 'لا يوجد هذا اليوم في الشهر.'],
    publication_doi: [
      'This is no DOI: it begins with 10. and has a slash.',
      'ليس معرف DOI صحيحًا، فهو يبدأ بـ 10. وفيه شرطة مائلة.',
    ],
    publication_issn: ['This is no ISSN: its check digit is wrong.', 'ليس رقم ISSN صحيحًا، فرقم التحقق لا يطابق.'],
    publication_isbn: ['This is no ISBN: its check digit is wrong.', 'ليس رقم ISBN صحيحًا، فرقم التحقق لا يطابق.'],
    publication_url: [
      'Give an address that begins with http:// or https://.',
      'أدخل رابطًا يبدأ بـ http:// أو https://.',
    ],
    publication_doi_twice: ['A publication with this DOI is there already.', 'يوجد منشور بهذا المعرف DOI بالفعل.'],
    publication_listed: ['What is listed has a year.', 'للمنشور المُدرج سنة نشر.'],
    publication_file: [
      'Say which version the file is, its licence and who may read it.',
      'حدد نسخة الملف ورخصته ومن يطلع عليه.',
    ],
    publication_merged: ['It was merged with another: open that one.', 'دُمج في منشور آخر، افتح ذلك المنشور.'],
    publication_member_twice: ['This person is a member already.', 'هذا الشخص من أعضاء العمل بالفعل.'],
    publication_member_position: [
      'The order was changed meanwhile: try again.',
      'تغير الترتيب في هذه الأثناء، أعد المحاولة.',
    ],
    publication_member_orcid: [
      'This is no ORCID iD: its check digit is wrong.',
      'ليس معرف ORCID صحيحًا، فرقم التحقق لا يطابق.',
    ],
    publication_member_name: [
      'Give a name, or choose a person of the university.',
      'أدخل اسمًا أو اختر شخصًا من الجامعة.',
    ],
    publication_members_full: ['A publication has at most {count} members.', 'لا يزيد أعضاء المنشور عن {count}.'],
    publication_claimed: ['{name} has said already that this is the own name.', 'سبق أن أكد {name} أن هذا الاسم له.'],
    publication_claim_name: [
      '“{name}” is not like your name: ask whoever looks after publications.',
      'الاسم «{name}» لا يشبه اسمك، راجع المسؤول عن المنشورات.',
    ],
    ranked_journal_twice: [
      'The list of this year has this journal already.',
      'الدورية موجودة في قائمة هذه السنة بالفعل.',
    ],
    journal_list_heads: [
      'No line of the file names a title, an ISSN and a quartile.',
      'لا يوجد في الملف صف يسمي العنوان ورقم ISSN والربع.',
    ],
    journal_title_missing: ['The title is missing.', 'العنوان غير موجود.'],
    journal_issn_wrong: ['There is no ISSN with a right check digit.', 'لا يوجد رقم ISSN صحيح.'],
    journal_quartile_missing: ['The quartile is missing.', 'الربع غير موجود.'],
    publication_file_none: ['Choose a file.', 'اختر ملفًا.'],
  },
})
