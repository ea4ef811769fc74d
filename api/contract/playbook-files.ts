/** Stands in the page of all chapters where the payment goes that bought it. */
export const paymentMark = 'payment-that-bought-this-page';

/** The path of the files of the chapter that is free. */
export const freeChapterFiles = (id: string): string => `/playbook/${id}.zip`;
