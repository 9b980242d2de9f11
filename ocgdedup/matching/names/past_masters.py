"""Masters of the past who have no ID in a rating list, with years of birth and death.

A pure table, since databases have many of their games, and two functions that read it. It decides
nothing: the resolver uses the years to choose between namesakes. Nobody in it is alive.

A line is "Surname, Given names|federation|title|born|died". Another field may hold other
spellings of the name, separated by ";". The federation is today's code of the country for which the
master mostly played; if two fit, it is one of them. Titles are FIDE titles, including honorary
ones: none before 1950. A year on which sources disagree is left out. Spellings that the rules for
letters explain (Tschigorin, Bogoljubov) are not listed.
"""

from __future__ import annotations

from collections.abc import Iterator

from ocgdedup.model import Person

_FIELDS = 6

MEN = """\
Adams, Weaver Warren|USA||1901|1963
Addison, William|USA|IM|1933|2008
Ahues, Carl|GER|IM|1883|1968
Aitken, James|SCO||1908|1983
Alapin, Semyon|RUS||1856|1923|Alapin, Simon
Alatortsev, Vladimir|RUS|GM|1909|1987|Alatorzev, Vladimir
Albin, Adolf|ROU||1848|1920
Alekhine, Alexander|FRA||1892|1946|Alekhin, Alexander;Aljechin, Alexander;Alechin, Alexander
Alekhine, Alexey|RUS||1888|1939|Alekhin, Alexey;Aljechin, Alexej;Alechin, Alexei
Alexander, Conel Hugh O'Donel|ENG|IM|1909|1974
Allgaier, Johann|AUT||1763|1823
Aloni, Itzchak|ISR|IM|1905|1985
Alster, Ladislav|CZE|IM|1927|1991
Andersen, Erik|DEN||1904|1938
Anderson, Frank Ross|CAN|IM|1928|1980
Anderssen, Adolf|GER||1818|1879
Antoshin, Vladimir|RUS|GM|1929|1994
Appel, Izaak|POL||1905|
Apscheneek, Fricis|LAT||1894|1941|Apsenieks, Fricis;Apscheneek, Franz
Aronin, Lev|RUS|IM|1920|1982
Asztalos, Lajos|YUG|IM|1889|1956|Astalosh, Lajos
Atkins, Henry Ernest|ENG|IM|1872|1955
Atwood, George|ENG||1745|1807
Bagirov, Vladimir|LAT|GM|1936|2000
Baird, David Graham|USA||1854|1913
Baird, John Washington|USA||1852|1923
Balogh, Janos|HUN|IM|1892|1980
Barasz, Zsigmond|HUN||1878|1935
Barcza, Gedeon|HUN|GM|1911|1986
Barda, Olaf|NOR|IM|1909|1971
Barendregt, Johan Teunis|NED|IM|1924|1982
Barnes, Thomas Wilson|ENG||1825|1874
Barry, John Finan|USA||1873|1940
Bauer, Johann Hermann|AUT||1861|1891
Becker, Albert|AUT|IM|1896|1984
Belavenets, Sergey|RUS||1910|1942
Bely, Miklos|HUN|IM|1913|1970
Berger, Johann Nepomuk|AUT||1845|1933
Berger, Victor|ENG||1904|1996|Buerger, Victor
Bernstein, Jacob|USA|||
Bernstein, Ossip|FRA|GM|1882|1962|Bernstein, Osip
Bernstein, Sidney Norman|USA||1911|1992
Bertok, Mario|CRO|IM|1929|2008
Betins, Karlis|LAT||1867|1943|Behting, Carl
Bird, Henry Edward|ENG||1829|1908
Blackburne, Joseph Henry|ENG||1841|1924|Blackburn, Joseph Henry
Blake, Joseph Henry|ENG||1859|1951
Blanco Estera, Rafael|CUB||1885|1955|Blanco, Rafael
Blau, Max|SUI|IM|1918|1984
Bledow, Ludwig|GER||1795|1846
Bluemich, Max|GER||1886|1942
Blumenfeld, Benjamin|RUS||1884|1947
Bobotsov, Milko|BUL|GM|1931|2000
Boden, Samuel Standidge|ENG||1826|1882
Bogoljubow, Efim|GER|GM|1889|1952
Bohatirchuk, Fedor|UKR|IM|1892|1984|Bogatyrchuk, Fedor
Bolbochan, Jacobo|ARG|IM|1906|1984
Bolbochan, Julio|ARG|GM|1920|1996
Boleslavsky, Isaac|BLR|GM|1919|1977
Bondarevsky, Igor|RUS|GM|1913|1979
Book, Eero|FIN|GM|1910|1990
Borochow, Harry|USA|IM|1898|1993
Botvinnik, Mikhail|RUS|GM|1911|1995
Breyer, Gyula|HUN||1893|1921|Breyer, Julius
Brinckmann, Alfred|GER|IM|1891|1967
Broadbent, Reginald Joseph|ENG||1906|1988
Brody, Miklos|HUN||1877|1949
Bronstein, David|RUS|GM|1924|2006
Buckle, Henry Thomas|ENG||1821|1862
Burille, Constant Ferdinand|USA||1866|1914
Burn, Amos|ENG||1848|1925
Byrne, Donald|USA|IM|1930|1976
Byvshev, Vasily|RUS||1922|1998
Calvi, Ignazio|ITA||1797|1872
Canal, Esteban|PER|GM|1896|1981
Capablanca, Jose Raul|CUB||1888|1942|Capablanca y Graupera, Jose Raul;Capablanca Graupera, Jose Raul
Carls, Carl|GER|IM|1880|1958
Caro, Horatio|ENG||1862|1920
Castaldi, Vincenzo|ITA|IM|1916|1970
Chajes, Oscar|USA||1873|1928
Charlick, Henry|AUS||1845|1916
Charousek, Rezso|HUN||1873|1900|Charousek, Rudolf
Chekhover, Vitaly|RUS|IM|1908|1965|Czechower, Witali
Chigorin, Mikhail|RUS||1850|1908
Chistiakov, Alexander|RUS||1914|1990
Christoffel, Martin|SUI|IM|1922|2001
Ciocaltea, Victor|ROU|GM|1932|1983
Clerc, Albert|FRA||1830|1918
Cobo Arteaga, Eldis|CUB|IM|1929|1991|Cobo, Eldis
Cochrane, John|SCO||1798|1878
Cohn, Erich|GER||1884|1918
Cohn, Wilhelm|GER||1859|1913
Colle, Edgard|BEL||1897|1932
Collijn, Gustaf|SWE||1880|1968
Collijn, Ludvig|SWE||1878|1939
Cortlever, Nicolaas|NED|IM|1915|1995
Corzo, Juan|CUB||1873|1941|Corzo y Prinzipe, Juan;Corzo Prinzipe, Juan
Crepeaux, Robert|FRA||1900|1994
Cruz, Walter Oswaldo|BRA||1910|1967
Cuellar Gacharna, Miguel|COL|IM|1916|1985|Cuellar, Miguel
Czerniak, Moshe|ISR|IM|1910|1984|Czerniak, Miguel
Dake, Arthur|USA|GM|1910|2000
Damjanovic, Mato|CRO|GM|1927|2011
Daniuszewski, Dawid|POL||1885|1944
Davidson, Jacques|NED||1890|1969
De Labourdonnais, Louis Charles Mahe|FRA||1795|1840|Labourdonnais, Louis;La Bourdonnais, Louis
De Riviere, Jules Arnous|FRA||1830|1905|Arnous de Riviere, Jules;Riviere, Jules Arnous
De Saint-Amant, Pierre Charles Fournier|FRA||1800|1872|Saint-Amant, Pierre;St. Amant, Pierre
De Souza Mendes, Joao|BRA||1892|1969|Mendes, Joao de Souza;Souza Mendes, Joao
De Vere, Cecil Valentine|ENG||1846|1875
Delmar, Eugene|USA||1841|1909
Denker, Arnold|USA|GM|1914|2005
Deschapelles, Alexandre|FRA||1780|1847
Devos, Paul|BEL||1911|1981
Diesen, Mark|USA|IM|1957|2008
Diez del Corral, Jesus|ESP|GM|1933|2010
Donner, Jan Hein|NED|GM|1927|1988
Dubinin, Peter|RUS|IM|1909|1983
Dubois, Serafino|ITA||1817|1899
Dufresne, Jean|GER||1829|1893
Dunkelblum, Arthur|BEL|IM|1906|1979
Duras, Oldrich|CZE|GM|1882|1957
Dus-Chotimirsky, Fedor|RUS|IM|1879|1965|Duz-Khotimirsky, Fedor
Dyckhoff, Eduard|GER||1880|1949
Ebralidze, Archil|GEO||1908|1960
Eliskases, Erich|ARG|GM|1913|1997
Enevoldsen, Jens|DEN|IM|1907|1980
Engels, Ludwig|GER||1905|1967
Englisch, Berthold|AUT||1851|1897
Englund, Fritz|SWE||1871|1933
Erdelyi, Stefan|ROU|IM|1905|1968
Esling, Frederick Karl|AUS||1860|1955
Esser, Johannes|NED||1877|1946
Estrin, Yakov|RUS|IM|1923|1987
Euwe, Max|NED|GM|1901|1981|Euwe, Machgielis
Evans, Larry Melvyn|USA|GM|1932|2010
Evans, William Davies|WLS||1790|1872
Evenson, Alexander|UKR||1892|1919
Exner, Gyozo|HUN||1864|1945
Factor, Samuel|USA|||1949
Fahrni, Hans|SUI||1874|1939
Fairhurst, William Albert|SCO|IM|1903|1982
Falkbeer, Ernst Karl|AUT||1819|1885
Feigins, Movsas|LAT||1908|1950
Fichtl, Jiri|CZE|IM|1921|2003
Filip, Miroslav|CZE|GM|1928|2009
Fine, Reuben|USA|GM|1914|1993
Fink, Adolf Jay|USA||1890|1956
Fischer, Robert James|USA|GM|1943|2008|Fischer, Bobby
Flamberg, Alexander|POL||1880|1926
Fleissig, Bernhard|AUT||1853|1931
Fleissig, Maximilian|AUT||1845||Fleissig, Max
Flesch, Janos|HUN|GM|1933|1983
Flohr, Salo|CZE|GM|1908|1983
Flores Alvarez, Rodrigo|CHI||1913|2007
Florian, Tibor|HUN|IM|1919|1990
Foltys, Jan|CZE|IM|1908|1952
Fontein, George Salto|NED||1890|1963
Forgacs, Leo|HUN||1881|1930|Fleischmann, Leo;Forgacs-Fleischmann, Leo
Fox, Albert Whiting|USA||1881|1964
Fox, Maurice|CAN||1898|1988
Friedemann, Gunnar|EST||1909|1942
Fritz, Alexander|GER||1857|1932
From, Martin Severin|DEN||1828|1895|From, Severin
Frydman, Achilles|POL||1905|1940
Frydman, Paulino|POL|IM|1905|1982|Frydman, Paulin
Fuderer, Andrija|CRO|IM|1931|2011
Fuester, Geza|HUN|IM|1910|1990
Furman, Semyon|RUS|GM|1920|1978
Gelbfuhs, Oscar|AUT||1852|1877
Geller, Efim|UKR|GM|1925|1998
Gereben, Erno|HUN|IM|1907|1988
Ghitescu, Theodor|ROU|GM|1934|2008
Gibaud, Amedee|FRA||1885|1957
Gilg, Karl|GER|IM|1901|1981
Gipslis, Aivars|LAT|GM|1937|2000
Goering, Carl Theodor|GER||1841|1879
Goglidze, Victor|GEO|IM|1905|1964
Goldberg, Grigory|RUS||1908|1976
Goldstein, Maurice Edward|ENG||1901|1966
Golmayo Zupide, Celso|CUB||1820|1898|Golmayo y Zupide, Celso
Golmayo de la Torriente, Celso|ESP||1879|1924
Golmayo de la Torriente, Manuel|ESP||1883|1973|Golmayo Torriente, Manuel
Golombek, Harry|ENG|GM|1911|1995
Gossip, George Hatfeild Dingley|ENG||1841|1907
Gotthilf, Solomon|RUS||1903|1967
Grau, Roberto|ARG||1900|1944
Greco, Gioachino|ITA|||
Grigorian, Karen|ARM|IM|1947|1989
Grigorian, Levon|UZB||1947|1975
Grigoriev, Nikolay|RUS||1895|1938
Grob, Henri|SUI|IM|1904|1974
Gruenfeld, Ernst|AUT|GM|1893|1962
Gudju, Ion|ROU||1897|1988
Gufeld, Eduard|USA|GM|1936|2002
Guimard, Carlos|ARG|GM|1913|1998
Gunsberg, Isidor|ENG||1854|1930|Gunzberg, Isidor
Gurgenidze, Bukhuti|GEO|GM|1933|2008
Halprin, Alexander|AUT||1868|1921
Hamppe, Carl|AUT||1814|1876
Hanauer, Milton|USA||1908|1988
Hanham, James Moore|USA||1840|1923
Hanstein, Wilhelm|GER||1811|1850
Harmonist, Max|GER||1864|1907
Harrwitz, Daniel|GER||1821|1884
Havasi, Kornel|HUN||1892|1945
Heidenfeld, Wolfgang|IRL||1911|1981
Heinicke, Herbert|GER|IM|1905|1988
Helling, Karl|GER||1904|1937
Henneberger, Moritz|SUI||1878|1959
Henneberger, Walter|SUI||1883|1969
Hirschfeld, Philipp|GER||1840|1896
Hodges, Albert Beauregard|USA||1861|1944
Hoenlinger, Baldur|AUT||1905|1990
Honfi, Karoly|HUN|IM|1930|1996
Horowitz, Israel Albert|USA|IM|1907|1973|Horowitz, Al
Horwitz, Bernhard|GER||1807|1885
Howell, Clarence Seaman|USA||1881|1936
Hromadka, Karel|CZE||1887|1956
Hruby, Vincenz|AUT||1856|1917
Hymes, Edward|USA||1871|1938
Ilivitzki, Georgi|RUS|IM|1921|1989
Illa, Rolando|ARG||1880|1937
Ilyin-Zhenevsky, Alexander|RUS||1894|1941|Ilyin-Genevsky, Alexander
Jaffe, Charles|USA|||1941
Janosevic, Dragoljub|SRB|GM|1923|1993
Janowski, Dawid|FRA||1868|1927
Jimenez Zerquera, Eleazar|CUB|IM|1928|2000|Jimenez, Eleazar
Johannsson, Ingi Randver|ISL|IM|1936|2010
John, Walter|GER||1879|1940
Johner, Hans|SUI|IM|1889|1975
Johner, Paul|SUI||1887|1938
Journoud, Paul|FRA||1821|1882
Judd, Max|USA||1851|1906
Junge, Klaus|GER||1924|1945
Kan, Ilia|RUS|IM|1909|1978
Kashdan, Isaac|USA|GM|1905|1985
Kasparian, Genrikh|ARM|IM|1910|1995|Kasparian, Henrik
Katetov, Miroslav|CZE|IM|1918|1995
Kaufmann, Arthur|AUT||1872|1938
Kennedy, Hugh Alexander|ENG||1809|1878
Keres, Paul|EST|GM|1916|1975
Kevitz, Alexander|USA||1902|1981
Kholmov, Ratmir|RUS|GM|1925|2006
Kieninger, Georg|GER|IM|1902|1975
Kieseritzky, Lionel|FRA||1806|1853|Kizeritsky, Lionel
Klein, Ernst Ludwig|ENG||1910|1990
Kluger, Gyula|HUN|IM|1914|1994
Kmoch, Hans|AUT|IM|1894|1973
Knorre, Victor|GER||1840|1919
Koblencs, Aleksandrs|LAT||1916|1993|Koblents, Alexander;Koblenz, Alexander
Koch, Berthold|GER|IM|1899|1988
Koehnlein, Friedrich|GER||1879|1916
Koenig, Imre|YUG|IM||1992
Kolisch, Ignatz|AUT||1837|1889|Von Kolisch, Ignatz
Koltanowski, George|BEL|GM|1903|2000
Konstantinopolsky, Alexander|UKR|GM|1910|1990
Kostic, Boris|SRB|GM|1887|1963|Kostic, Bora
Kotov, Alexander|RUS|GM|1913|1981
Kottnauer, Cenek|CZE|GM|1910|1996
Kozma, Julius|SVK|IM|1929|
Kozomara, Vladimir|BIH|IM|1922|1975
Kramer, Haije|NED|IM|1917|2004
Krause, Orla Hermann|DEN||1867|1935
Krejcik, Josef|AUT||1885|1957
Kubbel, Arvid|RUS||1889|1938
Kubbel, Leonid|RUS|||1942
Kupchik, Abraham|USA||1892|1970
Landau, Salo|NED||1903|1944
Lange, Max|GER||1832|1899
Lasker, Berthold|GER||1860|1928
Lasker, Edward|USA|IM|1885|1981
Lasker, Emanuel|GER||1868|1941
Lazard, Frederic|FRA||1883|1948
Lee, Francis Joseph|ENG||1857|1909
Lehmann, Heinz|GER|GM|1921|1995
Leonhardt, Paul Saladin|GER||1877|1934
Letelier Martner, Rene|CHI|IM|1915|2006|Letelier, Rene
Levenfish, Grigory|RUS|GM|1889|1961
Levitsky, Stepan|RUS||1876|1924
Lewis, William|ENG||1787|1870
Liberzon, Vladimir|ISR|GM|1937|1996
Lilienthal, Andor|HUN|GM|1911|2010
Lipke, Paul|GER||1870|1955
Lipnitsky, Isaak|UKR||1923|1959
Lipschuetz, Samuel|USA||1863|1905|Lipschutz, Solomon;Lipschuetz, Simon
Lisitsyn, Georgy|RUS|IM|1909|1972
List, Paul|GER||1887|1954
Loewenborg, Otto|SWE||1888|1969
Loewenthal, Johann Jacob|HUN||1810|1876|Lowenthal, Janos Jakab
Lokvenc, Josef|AUT|IM|1899|1974
Lolli, Giambattista|ITA||1698|1769
Loman, Rudolf Johannes|NED||1861|1932
Lowcki, Moishe|POL||1881|1940|Lowtzky, Moishe
Loyd, Samuel|USA||1841|1911
Luckis, Markas|ARG||1905|1973|Luckis, Marcos
Lundin, Erik|SWE|GM|1904|1988
Lutikov, Anatoly|RUS|GM|1933|1989
MacDonnell, George Alcock|IRL||1830|1899|McDonnell, George Alcock
Mackenzie, George Henry|USA||1837|1891
Maderna, Carlos|ARG||1910|1976
Makarczyk, Kazimierz|POL|IM|1901|1972
Makogonov, Vladimir|AZE|GM|1904|1993
Makovetz, Gyula|HUN||1860|1903
Marco, Georg|AUT||1863|1923
Maroczy, Geza|HUN|GM|1870|1951
Marshall, Frank James|USA||1877|1944
Martz, William|USA|IM|1945|1983
Mason, James|ENG||1849|1905
Matisons, Hermanis|LAT||1894|1932|Mattison, Hermann
Mayet, Carl|GER||1810|1868
McDonnell, Alexander|IRL||1798|1835|MacDonnell, Alexander
Medina Garcia, Antonio|ESP|IM|1919|2003|Medina, Antonio
Medley, George Webb|ENG||1826|1898
Mednis, Edmar|USA|GM|1937|2002
Meek, Alexander Beaufort|USA||1814|1865
Meitner, Philipp|AUT|||1910
Metger, Johannes|GER||1850|1926
Michel, Paul|ARG|IM|1905|1977
Michell, Reginald Pryce|ENG||1873|1938
Mieses, Jacques|GER|GM|1865|1954
Mieses, Samuel|GER||1841|1884
Mikenas, Vladas|LTU|GM|1910|1992
Milic, Borislav|SRB|GM|1925|1986
Milner-Barry, Philip Stuart|ENG||1906|1995
Minckwitz, Johannes|GER||1843|1901
Minic, Dragoljub|SRB|GM|1936|2005
Moeller, Joergen|DEN||1873|1944
Mongredien, Augustus|ENG||1807|1888
Monticelli, Mario|ITA|GM|1902|1995
Morphy, Alonzo|USA||1798|1856
Morphy, Ernest|USA||1807|1874
Morphy, Paul|USA||1837|1884
Morrison, John Stuart|CAN||1889|1975
Mortimer, James|USA||1833|1911
Mueller, Hans|AUT|IM|1896|1971
Muffang, Andre|FRA|IM|1897|1989
Muhring, Willem|NED|IM|1913|1999
Naegeli, Oskar|SUI||1885|1959
Nagy, Geza|HUN|IM|1892|1953
Najdorf, Miguel|ARG|GM|1910|1997|Najdorf, Mieczyslaw;Najdorf, Moishe
Napier, William Ewart|USA||1881|1952
Neikirkh, Oleg|BUL|IM|1914|1985|Neikirch, Oleg
Nenarokov, Vladimir|RUS|IM|1880|1953
Neumann, Augustin|AUT||1879|1906
Neumann, Gustav Richard Ludwig|GER||1838|1881
Nezhmetdinov, Rashid|RUS|IM|1912|1974
Niephaus, Walter|GER|IM|1923|1992
Nilsson, Allan|SWE||1899|1949
Nimzowitsch, Aron|DEN||1886|1935|Niemzowitsch, Aron
Noa, Josef|HUN||1856|1903
Noteboom, Daniel|NED||1910|1932
Novotelnov, Nikolay|RUS|IM|1911|2006
Nyholm, Gustaf|SWE||1880|1957
O'Kelly de Galway, Alberic|BEL|GM|1911|1980|O'Kelly, Alberic
Ojanen, Kaarle|FIN|IM|1918|2009
Olland, Adolf Georg|NED||1867|1933
Opocensky, Karel|CZE|IM|1892|1975
Oskam, Gerard|NED||1880|1952
Ostojic, Predrag|SRB|GM|1938|1996
Owen, John|ENG||1827|1901
Pachman, Ludek|CZE|GM|1924|2003
Palau, Luis|ARG|IM|1896|1971
Panov, Vasily|RUS|IM|1906|1973
Paulsen, Louis|GER||1833|1891
Paulsen, Wilfried|GER||1828|1901
Pavey, Max|USA||1918|1957
Pelikan, Jiri|ARG|IM|1906|1984|Pelikan, Jorge
Perez Perez, Francisco Jose|ESP|IM|1920|1999|Perez, Francisco Jose
Perlis, Julius|AUT||1880|1913
Petrosian, Tigran Vartanovich|ARM|GM|1929|1984
Petrov, Alexander Dmitrievich|RUS||1794|1867
Petrovs, Vladimirs|LAT||1908|1943
Pfeiffer, Gerhard|GER|IM|1923|2000
Philidor, Francois Andre Danican|FRA||1726|1795
Piazzini, Luis|ARG||1905|1980
Pietzsch, Wolfgang|GER|GM|1930|1996
Pillsbury, Harry Nelson|USA||1872|1906
Pilnik, Herman|ARG|GM|1914|1981
Pinkus, Albert|USA||1903|1984
Pirc, Vasja|SLO|GM|1907|1980
Pitschel, Karl|GER||1829|1883
Planinc, Albin|SLO|GM|1944|2008|Planinec, Albin
Plater, Kazimierz|POL|IM|1915|2004
Pleci, Isaias|ARG||1907|1979
Pokorny, Amos|CZE||1890|1949
Pollock, William Henry Krause|IRL||1859|1896
Polugaevsky, Lev|RUS|GM|1934|1995
Ponziani, Domenico Lorenzo|ITA||1719|1796
Popert, William Henry|ENG||1797|1846
Porath, Yosef|ISR|IM|1909|1996|Foerder, Heinz
Porges, Moritz|CZE||1857|1909
Porreca, Giorgio|ITA|IM|1927|1988
Post, Ehrhardt|GER||1881|1947
Potter, William Norwood|ENG||1840|1895
Poulsen, Christian|DEN||1912|1981
Prins, Lodewijk|NED|GM|1913|1987
Prokes, Ladislav|CZE||1884|1966
Przepiorka, Dawid|POL||1880|1940
Puc, Stojan|SLO|GM|1921|2004
Purdy, Cecil John Seddon|AUS|IM|1906|1979
Rabar, Braslav|CRO|IM|1919|1973
Rabinovich, Abram|RUS||1878|1943
Rabinovich, Ilya|RUS||1891|1942
Ragozin, Viacheslav|RUS|GM|1908|1962
Raizman, Maurice|FRA||1905|1974
Raud, Ilmar|EST||1913|1941
Rauzer, Vsevolod|UKR||1908|1941|Rauser, Vsevolod
Ravinsky, Grigory|RUS||1907|1994
Reca, Damian|ARG||1894|1937
Regedzinski, Teodor|POL||1894|1954
Reggio, Arturo|ITA||1863|1917
Reilly, Brian Patrick|IRL||1901|1991
Rejfir, Josef|CZE|IM|1909|1962
Rellstab, Ludwig|GER|IM|1904|1983
Reshevsky, Samuel|USA|GM|1911|1992|Rzeszewski, Szmul
Rethy, Pal|HUN||1905|1962
Reti, Richard|CZE||1889|1929
Rey Ardid, Ramon|ESP||1903|1988|Rey, Ramon
Richter, Emil|CZE|IM|1894|1971
Richter, Kurt|GER|IM|1900|1969
Riemann, Fritz|GER||1859|1932
Riumin, Nikolay|RUS||1908|1942
Roedl, Ludwig|GER|IM|1907|1970
Romanovsky, Peter|RUS|IM|1892|1964
Rosanes, Jakob|GER||1842|1922
Rosenthal, Samuel|FRA||1837|1902|Rozental, Samuel
Rosselli del Turco, Stefano|ITA||1877|1947|Rosselli, Stefano
Rossetto, Hector|ARG|GM|1922|2009
Rossolimo, Nicolas|USA|GM|1910|1975
Rotlewi, Georg|POL||1889|1920|Rotlewi, Gersz
Rubinstein, Akiba|POL|GM|1880|1961
Sacconi, Antonio|ITA|IM|1895|1968
Saemisch, Friedrich|GER|GM|1896|1975
Sajtar, Jaroslav|CZE|GM|1921|2003
Sakharov, Yuri|UKR||1922|1981
Salwe, Georg|POL||1862|1920|Salwe, Gersz;Salve, Hersz
Sanchez, Luis Augusto|COL|IM|1917|1981
Sandor, Bela|HUN|IM|1919|1978
Sanguineti, Raul|ARG|GM|1933|2000
Santasiere, Anthony|USA||1904|1977
Sanz Aguado, Jose|ESP||1907|1969
Sarratt, Jacob Henry|ENG||1772|1819
Savon, Vladimir|UKR|GM|1940|2005
Schallopp, Emil|GER||1843|1919
Schiffers, Emanuel|RUS||1850|1904
Schlechter, Carl|AUT||1874|1918
Schmidt, Paul Felix|EST|IM|1916|1984
Schories, Georg|GER||1874|1934
Schottlaender, Arnold|GER||1854|1909
Schulten, John William|USA||1821|1875
Schwarz, Adolf|AUT||1836|1910
Schwarz, Jacques|AUT||1856|1921
Seidman, Herbert|USA||1920|1995
Seitz, Jakob Adolf|GER|IM|1898|1970|Seitz, Adolfo
Selezniev, Alexey|RUS||1888|1967|Selesniev, Alexey
Sellman, Alexander|USA||1856|1888
Sergeant, Edward Guthlac|ENG||1881|1961
Sergeant, Philip Walsingham|ENG||1872|1952
Shainswit, George|USA||1918|1997
Shamkovich, Leonid|USA|GM|1923|2005
Showalter, Jackson Whipps|USA||1859|1935
Shumov, Ilya|RUS||1819|1881
Simagin, Vladimir|RUS|GM|1919|1968
Simonson, Albert|USA||1914|1965
Skalicka, Karel|CZE||1896|1979|Skalicka, Carlos
Skipworth, Arthur Bolland|ENG||1830|1898
Sliwa, Bogdan|POL|GM|1922|2003
Smyslov, Vasily|RUS|GM|1921|2010
Sokolsky, Alexey|BLR||1908|1969
Soultanbeieff, Victor|BEL||1895|1972
Sozin, Veniamin|RUS||1896|1956|Sosin, Veniamin
Speijer, Abraham|NED||1873|1956
Spielmann, Rudolf|AUT||1883|1942
Stahlberg, Gideon|SWE|GM|1908|1967
Stanley, Charles Henry|USA||1819|1901
Staunton, Howard|ENG||1810|1874
Stein, Leonid|UKR|GM|1934|1973
Steiner, Endre|HUN||1901|1944|Steiner, Andreas
Steiner, Herman|USA|IM|1905|1955
Steiner, Lajos|HUN|IM|1903|1975
Steinitz, William|AUT||1836|1900|Steinitz, Wilhelm
Sterk, Karoly|HUN||1881|1946
Stolberg, Mark|RUS||1922|1942
Stoltz, Goesta|SWE|GM|1904|1963
Suechting, Hugo|GER||1874|1916
Suetin, Alexey|RUS|GM|1926|2001
Suhle, Berthold|GER||1837|1904
Sultan Khan, Mir|PAK|GM||1966|Khan, Mir Sultan;Khan, Sultan
Swiderski, Rudolf|GER||1878|1909
Szabo, Laszlo|HUN|GM|1917|1998
Szen, Jozsef|HUN||1805|1857
Szily, Jozsef|HUN|IM|1913|1976
Takacs, Sandor|HUN||1893|1932
Tal, Mikhail|LAT|GM|1936|1992
Tarrasch, Siegbert|GER||1862|1934
Tartakower, Savielly|FRA|GM|1887|1956|Tartakower, Xavier
Taubenhaus, Jean|FRA||1850|1919
Te Kolste, Jan Willem|NED||1874|1936
Teichmann, Richard|GER||1868|1925
Thomas, Andrew Rowland Benedick|ENG||1904|1985
Thomas, George Alan|ENG|IM|1881|1972
Thorold, Edmund|ENG||1832|1899
Tietz, Victor|CZE||1859|1937
Tinsley, Edward Samuel|ENG||1869|1937
Tinsley, Samuel|ENG||1847|1903
Tolush, Alexander|RUS|GM|1910|1969
Toran Albero, Roman|ESP|IM|1931|2005|Toran, Roman
Torre Repetto, Carlos|MEX|GM|1904|1978|Torre, Carlos
Trenchard, Herbert William|ENG||1857|1934
Treybal, Frantisek|CZE||1882|1947
Treybal, Karel|CZE||1885|1941
Treysman, George|USA||1881|1959
Trifunovic, Petar|SRB|GM|1910|1980
Tringov, Georgi|BUL|GM|1937|2000
Troeger, Paul|GER|IM|1913|1992
Troianescu, Octavio|ROU|IM|1916|1980
Trompowsky, Octavio|BRA||1897|1984
Tsvetkov, Alexander|BUL|IM|1914|1990
Turner, Abe|USA||1924|1962
Turover, Isador|USA||1892|1978
Tylor, Theodore Henry|ENG||1900|1968
Udovcic, Mijo|CRO|GM|1920|1984
Ufimtsev, Anatoly|KAZ||1914|2000
Ujtelky, Maximilian|SVK|IM|1915|1979
Ulvestad, Olaf|USA||1912|2000
Unzicker, Wolfgang|GER|GM|1925|2006
Urusov, Dmitry|RUS||1830|1903
Urusov, Sergey|RUS||1827|1897
Vainstein, Samuil|RUS||1894|1942|Weinstein, Samuil
Vaitonis, Povilas|CAN|IM|1911|1983|Vaitonis, Paul
Vajda, Arpad|HUN|IM|1896|1967
Van Foreest, Arnold|NED||1863|1954
Van Foreest, Dirk|NED||1862|1956
Van Scheltinga, Tjeerd Daniel|NED|IM|1914|1994|Van Scheltinga, Theo
Van den Berg, Carel Benjamin|NED|IM|1924|1971
Van den Bosch, Johannes|NED||1906|1994
Vazquez, Andres Clemente|CUB||1844|1901
Veresov, Gavriil|BLR|IM|1912|1979
Vergani, Beniamino|ITA||1863|1927
Verlinsky, Boris|UKR|IM|1888|1950
Vidmar, Milan|SLO|GM|1885|1962|Vidmar, Milan sr.
Vidmar, Milan jr.|SLO|IM|1909|1980
Viner, William Samuel|AUS||1881|1933
Vistaneckis, Isakas|LTU||1910|2000|Vistinetzki, Isaak
Vitolins, Alvis|LAT|IM|1946|1997
Voellmy, Erwin|SUI||1886|1951
Von Balla, Zoltan|HUN||1883|1945|Balla, Zoltan
Von Bardeleben, Curt|GER||1861|1924|Bardeleben, Curt
Von Bilguer, Paul Rudolf|GER||1815|1840|Bilguer, Paul Rudolf
Von Eichborn, Louis|GER||1812|1882|Eichborn, Louis
Von Freymann, Sergey|UZB||1882|1946|Freymann, Sergey;Freiman, Sergey
Von Gottschall, Hermann|GER||1862|1933|Gottschall, Hermann
Von Guretzky-Cornitz, Bernhard|GER||1838|1873|Guretzky-Cornitz, Bernhard
Von Holzhausen, Walther|GER||1876|1935|Holzhausen, Walther
Von Jaenisch, Carl Friedrich|RUS||1813|1872|Jaenisch, Carl Friedrich;Yanish, Karl
Von Popiel, Ignatz|POL||1863|1941|Popiel, Ignatz;Von Popiel, Ignacy
Von Scheve, Theodor|GER||1851|1922|Scheve, Theodor
Von der Lasa, Tassilo|GER||1818|1899|Von Heydebrand und der Lasa, Tassilo;Lasa, Tassilo
Vukovic, Vladimir|CRO|IM|1898|1975
Wade, Robert Graham|ENG|IM|1921|2008
Wagner, Heinrich|GER|IM|1888|1959
Wahltuch, Victor|ENG||1875|1953
Wainwright, George Edward|ENG||1861|1933
Walbrodt, Carl August|GER||1871|1902
Walker, George|ENG||1803|1879
Walter, Max|SVK||1896|1940
Webb, Simon|ENG|IM|1949|2005
Weenink, Henri|NED||1892|1931
Weiss, Max|AUT||1857|1927
Whitaker, Norman Tweed|USA|IM|1890|1975
Williams, Elijah|ENG||1809|1854
Winawer, Szymon|POL||1838|1919
Winter, William|ENG|IM|1897|1955
Wisker, John|ENG||1846|1884
Wittek, Alexander|AUT||1852|1894
Wojciechowski, Antoni|POL||1905|1938
Wolf, Heinrich|AUT||1875|1943
Wolf, Siegfried Reginald|AUT||1867|1951
Wood, Baruch Harold|ENG||1909|1989
Wyvill, Marmaduke|ENG||1815|1896
Yanofsky, Daniel Abraham|CAN|GM|1925|2000|Yanofsky, Abe
Yates, Fred Dewhirst|ENG||1884|1932|Yates, Frederick Dewhurst
Yudovich, Mikhail|RUS|IM|1911|1987
Zagoriansky, Evgeny|RUS||1910|1961
Zagorovsky, Vladimir|RUS||1925|1994
Zaitsev, Alexander Nikolaevich|RUS|GM|1935|1971
Zemgalis, Elmars|USA|GM|1923|2014
Zinkl, Adolf|AUT||1871|1944
Zinn, Lothar|GER|IM|1938|1980
Zinner, Emil|CZE|||1942
Zita, Frantisek|CZE|IM|1909|1977
Znosko-Borovsky, Eugene|FRA||1884|1954
Zubarev, Nikolay|RUS||1894|1951
Zukertort, Johannes Hermann|ENG||1842|1888|Cukertort, Johannes
"""

WOMEN = """\
Bain, Mary|USA|WIM|1904|1972
Beskow, Katarina|SWE||1867|1939
Borisenko, Valentina|RUS|WGM|1920|1993|Belova, Valentina;Borisenko-Belova, Valentina
Bruce, Rowena Mary|ENG|WIM|1919|1999|Dew, Rowena
Bykova, Elisaveta|RUS|IM|1913|1989
Chaude de Silans, Chantal|FRA|WIM|1919|2001|De Silans, Chantal
Gerlecka, Regina|POL||1913|1983
Graf-Stevenson, Sonja|GER|WIM|1908|1965|Graf, Sonja;Stevenson, Sonja
Gresser, Gisela Kahn|USA|WIM|1906|2000
Harum, Gisela|AUT||1903|1995
Heemskerk, Fenny|NED|WGM|1919|2007
Hermanowa, Roza|POL|WIM|1902|1995|Herman, Roza
Holloway, Edith Martha|ENG||1868|1956
Ignatieva, Olga|RUS|WGM|1920|1999
Karff, Mona May|USA|WIM||1998
Larsen, Ingrid|DEN|WIM|1909|1990
Lauberte, Milda|LAT||1918|2009
Menchik, Olga|ENG|||1944|Rubery, Olga;Menchik-Rubery, Olga
Menchik, Vera|ENG||1906|1944|Stevenson, Vera;Menchik-Stevenson, Vera;Mencikova, Vera
Mora Iturralde, Maria Teresa|CUB|WIM|1902|1980|Mora, Maria Teresa
Price, Edith Charlotte|ENG||1872|1956
Reischer, Salome|AUT|WIM|1899|1980
Roodzant, Catharina|NED||1896|1999
Rubtsova, Olga|RUS|WGM|1909|1994
Rudenko, Lyudmila|UKR|IM|1904|1986
Semenova-Tyan-Shanskaya, Olga|RUS||1911|1970|Semenova, Olga
Stevenson, Agnes|ENG|||1935
Tranmer, Eileen Betsy|ENG|WIM|1910|1983
Wolf-Kalmar, Paula|AUT||1880|1931|Kalmar, Paula;Wolf, Paula
"""


def past_masters() -> Iterator[Person]:
    """Yield the masters of the table, men first, each part sorted by name.

    They have no ID and no rating; a year is None if it is not certain.
    """
    for sex, table in (("M", MEN), ("F", WOMEN)):
        for name, country, title, born, died, _ in _rows(table):
            yield Person(
                name=name,
                title=title,
                country=country,
                birth_year=int(born) if born else None,
                death_year=int(died) if died else None,
                sex=sex,
                is_active=False,
            )


def past_spellings() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield name and other spellings of each master who has any."""
    for table in (MEN, WOMEN):
        for row in _rows(table):
            if row[-1]:
                yield row[0], tuple(row[-1].split(";"))


def _rows(table: str) -> Iterator[list[str]]:
    """Yield the fields of each line, "" for missing fields at its end."""
    for line in table.splitlines():
        fields = line.split("|")
        yield fields + [""] * (_FIELDS - len(fields))
