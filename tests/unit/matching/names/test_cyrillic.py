"""Cyrillic names: the Latin spellings of FIDE's list, then ISO 9."""

import unicodedata

import pytest

from ocgdedup.matching.names.cyrillic import latin_forms


@pytest.mark.parametrize(
    ("cyrillic", "latin"),
    [
        ("Карпов", "Karpov"),
        ("Каспаров", "Kasparov"),
        ("Чигорин", "Chigorin"),
        ("Ботвинник", "Botvinnik"),
        ("Смыслов", "Smyslov"),
        ("Таль", "Tal"),
        ("Алехин", "Alekhin"),
        ("Алёхин", "Alekhin"),
        ("Корчной", "Korchnoy"),
        ("Щербаков", "Shcherbakov"),
        ("Юсупов", "Yusupov"),
        ("Хенкин", "Khenkin"),
        ("Гельфанд", "Gelfand"),
        ("Афанасьев", "Afanasiev"),
        ("Мария", "Maria"),
        ("Дмитрий", "Dmitry"),
        ("Бийск", "Biysk"),  # the end of a word only shortens
        ("Василь Іванчук", "Vasyl Ivanchuk"),
        ("Юрій Їжак", "Yurii Yizhak"),
        ("Лук’яненко Ігор", "Lukianenko Ihor"),
        ("Згурський", "Zghurskyi"),
        ("Сяргей Азараў", "Siarhei Azarau"),
        ("Топалов", "Topalov"),
        ("Пъргов", "Pargov"),
        ("Ђурић", "Djuric"),
        ("Љубојевић", "Ljubojevic"),
        ("Шаховић", "Sahovic"),
        ("Ѓорѓи", "Gjorgji"),
        ("Гeоргиев", "Georgiev"),  # its first e is a Latin letter
        ("ЩЕРБАКОВ", "SHCHERBAKOV"),
        ("Карпов, Анатолий Е.", "Karpov, Anatoly E."),
    ],
)
def test_first_form_is_the_habit_of_the_rating_list(cyrillic, latin):
    assert latin_forms(cyrillic)[0] == latin


@pytest.mark.parametrize(
    ("cyrillic", "latin"),
    [
        ("Чигорин", "Cigorin"),
        ("Щербаков", "Serbakov"),
        ("Юсупов", "Usupov"),
        ("Христо", "Hristo"),
        ("Корчной", "Korcnoj"),
        ("Ђурић", "Duric"),
        ("Иванчук", "Ivancuk"),
    ],
)
def test_last_form_is_iso_9_without_accents(cyrillic, latin):
    assert latin_forms(cyrillic)[-1] == latin


def test_second_habit_stands_between():
    assert latin_forms("Корчной") == ("Korchnoy", "Korchnoi", "Korcnoj")
    assert latin_forms("Ігор") == ("Ihor", "Igor")


def test_equal_forms_come_once():
    assert latin_forms("Карпов") == ("Karpov",)


def test_decomposed_letters_are_the_same():
    assert latin_forms(unicodedata.normalize("NFD", "Корчной")) == latin_forms("Корчной")


@pytest.mark.parametrize("text", ["", "Karpov", "O'Kelly", "Đurić", "李世乭"])
def test_text_without_cyrillic_is_unchanged(text):
    assert latin_forms(text) == (text,)


def test_a_lone_sign_has_no_empty_form():
    assert latin_forms("Ь") == ()


def test_letters_of_other_languages_stay():
    assert latin_forms("Әлия") == ("Әlia",)
