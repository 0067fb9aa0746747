import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'
import { FILE_READERS, FILE_STAGES, LICENCES, MEMBER_ROLES } from './works/words.contract.ts'

/** What the log of changes says of its tables. */
export const publicationsTold: TablesTold = {
  publications: {
    title: ['title', 'title_local'],
    fields: {
      file_id: f.lookup(['File', 'الملف'], 'file'),
      file_stage: f.choice(['Version of the file', 'نسخة الملف'], FILE_STAGES),
      licence: f.choice(['Licence', 'الرخصة'], LICENCES),
      file_readers: f.choice(['Who may read the file', 'من يطلع على الملف'], FILE_READERS),
      merged_into_id: f.lookup(['Merged into', 'دُمج في'], 'publication'),
    },
    untold: ['more', 'title_key', 'title_local_key'],
  },
  publication_members: {
    one: ['Member of a publication', 'عضو في منشور'],
    many: ['Members of publications', 'أعضاء المنشورات'],
    title: ['name'],
    fields: {
      position: f.integer(['Order', 'الترتيب']),
      name: f.text(['Name', 'الاسم']),
      role: f.choice(['Job', 'الصفة'], MEMBER_ROLES),
      orcid: f.text(['ORCID iD', 'معرف ORCID']),
      affiliation: f.text(['Institution', 'جهة الانتماء']),
      is_corresponding: f.flag(['Corresponding author', 'المؤلف المراسل']),
    },
  },
  publication_doubles: {
    one: ['Possible double', 'تكرار محتمل'],
    many: ['Possible doubles', 'تكرارات محتملة'],
    fields: {
      first_id: f.lookup(['Publication', 'المنشور'], 'publication'),
      second_id: f.lookup(['Other publication', 'المنشور الآخر'], 'publication'),
      why: f.choice(
        ['Why', 'السبب'],
        [
          { value: 'doi', label: ['Same DOI', 'المعرف DOI نفسه'] },
          { value: 'title', label: ['Same title', 'العنوان نفسه'] },
          { value: 'near_title', label: ['Nearly the same title', 'عنوان شبه مطابق'] },
          { value: 'place', label: ['Same pages', 'الصفحات نفسها'] },
        ],
      ),
      score: f.integer(['How sure', 'درجة التطابق']),
      status: f.choice(
        ['State', 'الحالة'],
        [
          { value: 'open', label: ['Open', 'مفتوح'] },
          { value: 'apart', label: ['Two works', 'عملان مختلفان'] },
          { value: 'merged', label: ['Merged', 'مدمجان'] },
        ],
      ),
    },
    untold: ['found_at'],
  },
  researchers: {
    one: ['Researcher', 'باحث'],
    many: ['Researchers', 'باحثون'],
    fields: {
      orcid: f.text(['ORCID iD', 'معرف ORCID']),
      openalex: f.text(['OpenAlex ID', 'معرف OpenAlex']),
      is_public: f.flag(['Page for everybody', 'صفحة متاحة للجميع']),
      slug: f.text(['Name in the address', 'الاسم في الرابط']),
      interests: f.text(['Fields of research', 'مجالات البحث']),
      interests_local: f.text(['Fields of research in Arabic', 'مجالات البحث بالعربية']),
      about: f.longText(['About', 'نبذة']),
      about_local: f.longText(['About in Arabic', 'نبذة بالعربية']),
    },
    untold: ['synced_at'],
  },
  ranked_journals: {},
}
