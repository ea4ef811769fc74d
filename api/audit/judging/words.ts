/**
 * The words by which sites of many languages link the page about themselves and the way to reach them, in lower case and
 * as whole texts of links.
 */
export const aboutWords: readonly string[] = [
  // English, German, French, Spanish, Portuguese, Italian
  'about us|about me|about|who we are|our story|our company|our team|meet the team|team|people|authors|authors and citation|company|imprint|legal notice|colophon',
  'über uns|über mich|wer wir sind|unternehmen|impressum|das team',
  'à propos|a propos|qui sommes nous|qui sommes-nous|notre histoire|mentions légales|l’équipe',
  'acerca de|sobre nosotros|quiénes somos|quienes somos|nosotros|nuestra historia|aviso legal',
  'sobre nós|sobre|quem somos|a empresa|nossa história',
  'chi siamo|chi sono|azienda|la nostra storia',
  // Dutch, Danish, Norwegian, Swedish, Finnish
  'over ons|over mij|wie zijn wij|bedrijf',
  'om os|om oss|om mig|om meg|om virksomheden|om selskapet|om företaget|hvem er vi|hvem vi er|vilka vi är',
  'tietoa meistä|meistä|yritys|keitä olemme',
  // Polish, Czech, Slovak, Hungarian, Romanian, Croatian, Slovenian
  'o nas|o firmie|o mnie|kim jesteśmy',
  'o nás|kdo jsme|o mně|o společnosti|kto sme',
  'rólunk|magunkról|bemutatkozás|impresszum',
  'despre noi|despre|cine suntem',
  'o nama|tko smo|ko smo|o podjetju',
  // Greek, Turkish, Russian, Ukrainian, Bulgarian
  'σχετικά με εμάς|σχετικά|ποιοι είμαστε|η εταιρεία',
  'hakkımızda|hakkında|biz kimiz|kurumsal',
  'о нас|о компании|о проекте|обо мне|кто мы',
  'про нас|про компанію|хто ми',
  'за нас|кои сме ние',
  // Vietnamese, Indonesian, Thai, Hindi, Arabic, Hebrew, Persian
  'giới thiệu|về chúng tôi|về tôi',
  'tentang kami|tentang|profil perusahaan',
  'เกี่ยวกับเรา',
  'हमारे बारे में',
  'من نحن|معلومات عنا|عن الشركة',
  'אודות|מי אנחנו',
  'درباره ما',
  // Chinese, Japanese, Korean
  '关于我们|關於我們|关于|關於|公司简介',
  '会社概要|私たちについて|このサイトについて|運営者情報|について',
  '회사 소개|회사소개|소개',
];

export const contactWords: readonly string[] = [
  'contact us|contact me|contact|contacts|get in touch|write to us|support|get help|help desk|help center|help centre|feedback|imprint',
  'kontakt|kontaktiere|kontaktieren sie uns|impressum|schreiben sie uns',
  'nous contacter|contactez-nous|contactez nous',
  'contacto|contáctanos|contactanos|contáctenos|escríbenos',
  'contato|contacto|fale conosco|contacte-nos',
  'contatti|contattaci|contatto',
  'contact opnemen|neem contact op',
  'kontakta oss|kontakt os|kontakt oss',
  'yhteystiedot|ota yhteyttä|yhteys',
  'kontakty|skontaktuj się|napiš nám|napíšte nám',
  'kapcsolat|elérhetőség',
  'contactează-ne|contacteaza-ne',
  'kontaktirajte nas|kontaktirajte|stik',
  'επικοινωνία|επικοινωνήστε',
  'iletişim|bize ulaşın',
  'контакты|связаться с нами|обратная связь',
  "контакти|зв’яжіться з нами|зв'язок|свържете се с нас",
  'liên hệ',
  'hubungi kami|kontak',
  'ติดต่อเรา|ติดต่อ',
  'संपर्क करें|संपर्क',
  'اتصل بنا|تواصل معنا|تماس با ما',
  'צור קשר|צרו קשר',
  '联系我们|聯絡我們|联系方式|联络',
  'お問い合わせ|お問合せ|連絡先',
  '문의하기|문의|연락처',
];

const normalized = (text: string): string => text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();

/** The longest text of a link that leads to a page about the site: more is a sentence or a headline. */
const longestLink = 40;

/** Makes a test for texts that are one of some words. */
export function createWordTest(words: readonly string[]): (text: string) => boolean {
  const known = new Set(words.flatMap((line) => line.split('|')).map(normalized));
  return (text) => {
    const short = normalized(text).replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
    return short.length <= longestLink && known.has(short);
  };
}
