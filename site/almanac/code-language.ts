/** The language of a short example, guessed from how it begins, for the highlighter. */
export function codeLanguage(code: string): string {
  const start = code.trimStart();
  if (/^[[{]/.test(start)) {
    return 'json';
  }
  if (/^(?:GET|POST|PUT|DELETE|HEAD|OPTIONS|HTTP\/)/.test(start)) {
    return 'http';
  }
  if (/^(?:curl|git|npx|npm|openssl|dig|\$ )/.test(start)) {
    return 'bash';
  }
  if (/^</.test(start)) {
    return 'xml';
  }
  if (/^(?:import|const|let|async|export|await|document|\/\/)/.test(start)) {
    return 'js';
  }
  return 'txt';
}
